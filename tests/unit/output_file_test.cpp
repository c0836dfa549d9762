// SPDX-License-Identifier: Apache-2.0
#include "common/run/output_file.hpp"

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "common/environment/text.hpp"
#include "common/run/exit_status.hpp"
#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::string& path) {
  try {
    const OutputFile file(path);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

TEST(OutputFile, IsNotThereBeforeItIsPublished) {
  const FakeRoot root;
  const OutputFile file(root.path() / "out.json");
  EXPECT_EQ(entries(root.path()), 0U);
  file.publish("text\n");
  EXPECT_EQ(read_text(root.path(), "out.json"), "text\n");
  EXPECT_EQ(entries(root.path()), 1U);
}

TEST(OutputFile, ReplacesAnOlderOneAndKeepsItsPermissions) {
  const FakeRoot root;
  root.write("out.json", "older and longer");
  fs::permissions(root.path() / "out.json", fs::perms::owner_read | fs::perms::owner_write);
  const OutputFile file(root.path() / "out.json");
  EXPECT_EQ(read_text(root.path(), "out.json"), "older and longer");
  file.publish("new");
  EXPECT_EQ(read_text(root.path(), "out.json"), "new");
  EXPECT_EQ(fs::status(root.path() / "out.json").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(entries(root.path()), 1U);
}

TEST(OutputFile, IsTheSameHoweverItIsSpelled) {
  const FakeRoot root;
  root.write("folder/there", "");
  fs::create_symlink("folder", root.path() / "link");
  fs::create_symlink("./new.json", root.path() / "new.svg");
  const fs::path before = fs::current_path();
  fs::current_path(root.path());
  const OutputFile file("new.json");
  for (const auto& [spelling, is_same] : {std::pair{root.path() / "new.json", true},
                                          {"./new.json", true},
                                          {"folder/../new.json", true},
                                          {root.path() / "link" / ".." / "new.json", true},
                                          {"new.svg", true},
                                          {"new.JSON", false},
                                          {"folder/new.json", false}}) {
    EXPECT_EQ(file.is_same_file(OutputFile(spelling.string())), is_same) << spelling;
  }
  EXPECT_TRUE(OutputFile("folder/new.json").is_same_file(OutputFile("link/new.json")));
  fs::current_path(before);
}

TEST(OutputFile, ANewOneFollowsTheMask) {
  const FakeRoot root;
  const mode_t before = umask(027);
  const OutputFile file(root.path() / "out.json");
  (void)umask(before);
  file.publish("");
  EXPECT_EQ(static_cast<unsigned>(fs::status(root.path() / "out.json").permissions()), 0640U);
}

TEST(OutputFile, FollowsALink) {
  const FakeRoot root;
  root.write("real.json", "old");
  fs::create_symlink("real.json", root.path() / "link.json");
  OutputFile(root.path() / "link.json").publish("new");
  EXPECT_TRUE(fs::is_symlink(root.path() / "link.json"));
  EXPECT_EQ(read_text(root.path(), "real.json"), "new");
}

TEST(OutputFile, CreatesWhatADanglingLinkPointsTo) {
  const FakeRoot root;
  root.write("inner/file", "");
  fs::create_symlink("inner/second", root.path() / "first");
  fs::create_symlink("real.json", root.path() / "inner" / "second");
  OutputFile(root.path() / "first").publish("new");
  EXPECT_TRUE(fs::is_symlink(root.path() / "first"));
  EXPECT_TRUE(fs::is_symlink(root.path() / "inner" / "second"));
  EXPECT_EQ(read_text(root.path(), "inner/real.json"), "new");
}

TEST(OutputFile, RefusesALinkThatLeadsNowhere) {
  const FakeRoot root;
  fs::create_symlink("b", root.path() / "a");
  fs::create_symlink("a", root.path() / "b");
  EXPECT_EQ(complaint(root.path() / "a"), "--benchmark_out=" + (root.path() / "a").string() +
                                              ": Too many levels of symbolic links");
  fs::create_symlink("missing/out.json", root.path() / "link");
  EXPECT_EQ(complaint(root.path() / "link"), "--benchmark_out=" + (root.path() / "link").string() +
                                                 ": there is no directory " +
                                                 (root.path() / "missing").string());
  EXPECT_EQ(entries(root.path()), 3U);
}

TEST(OutputFile, RefusesAnOpenRegularFileButNotAnOpenPipe) {
  const FakeRoot root;
  root.write("open", "text");
  const int file = open((root.path() / "open").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  for (const char* directory : {"/dev/fd/", "/proc/self/fd/"}) {
    EXPECT_NE(complaint(directory + std::to_string(file)).find("--benchmark_format=json"),
              std::string::npos);
  }
  (void)close(file);
  EXPECT_EQ(read_text(root.path(), "open"), "text");

  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  OutputFile("/dev/fd/" + std::to_string(ends[1])).publish("text");
  (void)close(ends[1]);
  std::array<char, 8> read_back{};
  EXPECT_EQ(read(ends[0], read_back.data(), read_back.size()), 4);
  (void)close(ends[0]);
}

TEST(OutputFile, RefusesAPipeWithoutAReader) {
  const FakeRoot root;
  const std::string path = root.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(complaint(path),
            "--benchmark_out=" + path + ": nobody has opened this pipe for reading");
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  {
    OutputFile first(path);
    const OutputFile file(std::move(first));
    file.publish("text");
  }
  std::array<char, 8> read_back{};
  EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 4);
  EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 0);
  (void)close(reader);
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  const FakeRoot root;
  const std::string directory = root.path();
  EXPECT_EQ(complaint(directory), "--benchmark_out=" + directory + ": is a directory");
  const std::string missing = root.path() / "missing" / "out.json";
  EXPECT_EQ(complaint(missing), "--benchmark_out=" + missing + ": there is no directory " +
                                    (root.path() / "missing").string());
  const std::string long_name = root.path() / std::string(300, 'x');
  EXPECT_TRUE(complaint(long_name).ends_with(": File name too long"));
}

TEST(OutputFile, RefusesAReadOnlyDirectoryAndFile) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  const FakeRoot root;
  root.write("out.json", "old");
  fs::permissions(root.path() / "out.json", fs::perms::owner_read);
  EXPECT_TRUE(complaint(root.path() / "out.json").ends_with(": Permission denied"));
  fs::permissions(root.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(complaint(root.path() / "new.json").ends_with(": Permission denied"));
  fs::permissions(root.path(), fs::perms::owner_all);
}

TEST(OutputFile, ADeviceIsWrittenToAndStaysOne) {
  OutputFile("/dev/null").publish("text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full";
  }
  EXPECT_THROW(OutputFile("/dev/full").publish("text"), std::runtime_error);
}

TEST(OutputFile, ADirectoryThatIsGoneIsAnErrorInTheEnd) {
  const FakeRoot root;
  root.write("inner/file", "");
  const OutputFile file(root.path() / "inner" / "out.json");
  fs::remove_all(root.path() / "inner");
  EXPECT_THROW(file.publish("text"), std::runtime_error);
}

}  // namespace
}  // namespace copybench
