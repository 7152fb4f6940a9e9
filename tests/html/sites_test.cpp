// Whole sites, whose pages a conforming parser has read before us: titles, encodings, links.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "html/page_reader.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

class Sites : public testing::TestWithParam<const char*> {};

TEST_P(Sites, TitlesEncodingsAndLinkCountsAreThoseOfAConformingParser) {
  const std::string root = testdata_root() + "/../sites/" + GetParam() + "/";
  if (!file_exists(root + "expected.json")) GTEST_SKIP() << "no " << root << "expected.json";
  const Json expected = Json::parse(read_file(root + "expected.json"));
  const Json manifest = Json::parse(read_file(root + "manifest.json"));
  PageFacts facts;
  std::size_t pages = 0;
  for (const auto& [path, page] : expected["pages"].items()) {
    std::string type = manifest["default_content_type"];
    for (const Json& rule : manifest["content_types_by_prefix"]) {
      if (path.starts_with(rule["prefix"].get<std::string>())) type = rule["content_type"];
    }
    const std::string bytes = read_file(root + page["file"].get<std::string>());
    read_page({.bytes = bytes, .content_type = type}, &facts);
    const auto links = std::count_if(facts.links.begin(), facts.links.end(),
                                     [](const Link& link) { return link.has_href; });
    EXPECT_EQ(facts.title, page["title"].get<std::string>()) << path;
    EXPECT_EQ(facts.encoding, page["encoding"].get<std::string>()) << path;
    EXPECT_EQ(links, page["link_elements"].get<std::ptrdiff_t>()) << path;
    ++pages;
  }
  EXPECT_GT(pages, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Sites,
                         testing::Values("ant-manual", "gobyexample", "httpd-manual", "sicp",
                                         "world-factbook"));

}  // namespace
}  // namespace periplus
