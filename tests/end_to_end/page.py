# SPDX-License-Identifier: Apache-2.0
"""A page as a browser reads it, as far as can be had without one: its elements, and what is wrong with it."""

import dataclasses
from html.parser import HTMLParser

_VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclasses.dataclass
class Element:
    tag: str
    attributes: dict
    parent: "Element | None" = None
    children: list = dataclasses.field(default_factory=list)

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, *tags):
        for child in self.children:
            if not isinstance(child, str):
                if not tags or child.tag in tags:
                    yield child
                yield from child.all(*tags)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, tag, attributes):
        element = Element(tag, dict(attributes), self.open)
        assert len(element.attributes) == len(attributes), f"an attribute twice: {attributes}"
        self.open.children.append(element)
        if tag not in _VOID:
            self.open = element

    def handle_startendtag(self, tag, attributes):
        self.open.children.append(Element(tag, dict(attributes), self.open))

    def handle_endtag(self, tag):
        assert tag == self.open.tag, f"</{tag}> within <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.children.append(data)


def read_page(path):
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    assert reader.open is reader.root, f"<{reader.open.tag}> is not closed"
    return reader.root
