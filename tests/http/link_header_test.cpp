#include "http/link_header.h"

#include <gtest/gtest.h>

namespace periplus {
namespace {

TEST(LinkHeader, EveryLinkOfEveryLineWithItsParameters) {
  Headers headers;
  headers.add(
      "Link",
      "</a,b>; rel=\"Canonical next\"; title=\"x, <y>\", < /de > ;rel=alternate; hreflang=DE");
  headers.add("link", "</c>");
  const std::vector<HeaderLink> links = header_links(headers);
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].target, "/a,b");
  EXPECT_EQ(links[0].rel, "canonical next");
  EXPECT_EQ(links[0].hreflang, "");
  EXPECT_EQ(links[1].target, "/de");
  EXPECT_EQ(links[1].rel, "alternate");
  EXPECT_EQ(links[1].hreflang, "de");
  EXPECT_EQ(links[2].target, "/c");
  EXPECT_EQ(links[2].rel, "");
}

TEST(LinkHeader, WhatIsNoLinkIsPassedOver) {
  Headers headers;
  for (const char* line : {"", "no link", "<unclosed; rel=canonical", ">; rel=x", "<>; rel=\"open"})
    headers.add("Link", line);
  const std::vector<HeaderLink> links = header_links(headers);
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].target, "");
  EXPECT_EQ(links[0].rel, "open");
}

}  // namespace
}  // namespace periplus
