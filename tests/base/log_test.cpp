#include "base/log.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

class Log : public testing::Test {
 protected:
  ~Log() override { set_log_level(LogLevel::kWarn); }
  template <class F>
  static std::string written(F&& f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Log, WritesOneLineWithNamedValues) {
  const std::string line = written([] {
    log(LogLevel::kWarn, "visit.done",
        {{"site", "example.org"},
         {"pages", 12},
         {"complete", true},
         {"why", "a \"b\""},
         {"none", ""}});
  });
  EXPECT_NE(line.find(" visit.done site=example.org pages=12 complete=true why=\"a \\\"b\\\"\" "
                      "none=\"\"\n"),
            std::string::npos)
      << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST_F(Log, TextOfASiteStaysOnItsLine) {
  const std::string line =
      written([] { log(LogLevel::kError, "x", {{"title", "a\nb\x1b[31m {} %s"}}); });
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_NE(line.find("{} %s"), std::string::npos);
}

TEST_F(Log, IsQuietBelowItsLevel) {
  EXPECT_EQ(written([] { log(LogLevel::kInfo, "x"); }), "");
  set_log_level(LogLevel::kDebug);
  EXPECT_TRUE(logs(LogLevel::kDebug));
  EXPECT_NE(written([] { log(LogLevel::kDebug, "x"); }), "");
  set_log_level(LogLevel::kOff);
  EXPECT_FALSE(logs(LogLevel::kError));
  EXPECT_FALSE(logs(LogLevel::kOff));
  EXPECT_EQ(written([] { log(LogLevel::kError, "x"); }), "");
}

}  // namespace
}  // namespace periplus
