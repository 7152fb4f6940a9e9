// The facts of pages, each test a promise or a hard input of the audit.
#include "html/page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/word_count.h"

namespace periplus {
namespace {

using ::testing::ElementsAre;

PageFacts read(std::string_view html, std::string_view content_type = "text/html; charset=utf-8") {
  PageFacts facts;
  read_page({.bytes = html, .content_type = content_type}, &facts);
  return facts;
}

bool has_fault(const PageFacts& facts, StructureFault fault) {
  for (const StructureFinding& found : facts.faults) {
    if (found.fault == fault) return true;
  }
  return false;
}

SourcePlace fault_place(const PageFacts& facts, StructureFault fault) {
  for (const StructureFinding& found : facts.faults) {
    if (found.fault == fault) return found.place;
  }
  return {};
}

TEST(PageReader, FactsOfAnOrdinaryPage) {
  const PageFacts facts = read(
      "<!doctype html>\n<html lang=en><head>\n<meta charset=utf-8>\n<title> Two\n words </title>\n"
      "<meta name=Description content=\"A &amp; B\">\n<link rel=Canonical href=/x>\n"
      "<base href='/deep/'></head>\n<body><h1>Head</h1><p>One <a href=' /y?a=1&amp;b=2 ' "
      "rel='nofollow UGC'>the link</a> text.</p></body></html>");
  EXPECT_EQ(facts.title, "Two words");
  EXPECT_EQ(facts.html_lang, "en");
  EXPECT_TRUE(facts.doctype);
  EXPECT_EQ(facts.base_href, "/deep/");
  ASSERT_EQ(facts.metas.size(), 2U);
  EXPECT_EQ(facts.metas[0].name, "charset");
  EXPECT_EQ(facts.metas[1].name, "description");
  EXPECT_EQ(facts.metas[1].content, "A & B");
  EXPECT_TRUE(facts.metas[1].in_head);
  ASSERT_EQ(facts.link_rels.size(), 1U);
  EXPECT_EQ(facts.link_rels[0].rel, "canonical");
  ASSERT_EQ(facts.links.size(), 1U);
  EXPECT_EQ(facts.links[0].href, "/y?a=1&b=2");
  EXPECT_EQ(facts.links[0].words, "the link");
  EXPECT_EQ(facts.links[0].rel, kRelNofollow | kRelUgc);
  EXPECT_EQ(facts.links[0].place.line, 9U);
  EXPECT_EQ(facts.links[0].place.column, 27U);
  ASSERT_EQ(facts.headings.size(), 1U);
  EXPECT_EQ(facts.headings[0].text, "Head");
  EXPECT_EQ(facts.text, "Head\nOne the link text.");
  EXPECT_EQ(facts.words, 5U);
  EXPECT_TRUE(facts.faults.empty());
  EXPECT_TRUE(facts.head_ended_by.empty());
}

TEST(PageReader, TitleInsideSvgIsNoTitle) {  // hard input 17
  const PageFacts facts =
      read("<!doctype html><title>Page</title><body><svg><title>Icon</title></svg>x");
  ASSERT_EQ(facts.titles.size(), 1U);
  EXPECT_EQ(facts.title, "Page");
  EXPECT_EQ(facts.text, "x");
}

TEST(PageReader, EmptyHeadingBeforeTheRealOneIsKeptAndEmpty) {  // hard input 18
  const PageFacts facts =
      read("<h1> </h1><h1>Real</h1><h1><img alt='By picture' src=a></h1><h2>&nbsp;<br>&nbsp;</h2>");
  ASSERT_EQ(facts.headings.size(), 4U);
  EXPECT_EQ(facts.headings[3].text, "");
  EXPECT_EQ(facts.headings[0].text, "");
  EXPECT_EQ(facts.headings[1].text, "Real");
  EXPECT_EQ(facts.headings[2].text, "By picture");
}

TEST(PageReader, ImagesInHeadingsThatAreNotShownStandForAnEmptyTextOnly) {
  const PageFacts facts = read(
      "<p>caf\u00E9 \u65E5\u672C</p><select><h1>\u65E5\u672C\u8A9E<img alt=x src=a></h1><h2><img "
      "alt=y src=b></h2></select>");
  ASSERT_EQ(facts.headings.size(), 2U);
  EXPECT_EQ(facts.headings[0].text, "\u65E5\u672C\u8A9E");
  EXPECT_EQ(facts.headings[1].text, "y");
}

TEST(PageReader, EmptyAltIsDecorativeAndNotMissing) {  // hard input 19
  const PageFacts facts = read(
      "<img src=a alt=''><img src=b><img src=c role=presentation><i aria-hidden=true><img src=d "
      "alt=D></i><img srcset='e.png 1x, f.png 2x' alt=E width=1 height=2>");
  ASSERT_EQ(facts.images.size(), 5U);
  EXPECT_TRUE(facts.images[0].has_alt);
  EXPECT_TRUE(facts.images[0].decorative);
  EXPECT_FALSE(facts.images[1].has_alt);
  EXPECT_FALSE(facts.images[1].decorative);
  EXPECT_TRUE(facts.images[2].decorative);
  EXPECT_TRUE(facts.images[3].decorative);
  EXPECT_EQ(facts.images[4].src, "e.png");
  EXPECT_TRUE(facts.images[4].has_size);
}

TEST(PageReader, LinkNamedByAriaLabelThoughItsImageIsDecorative) {  // hard input 19
  const PageFacts facts = read(
      "<a href=/1 aria-label='Home page'><img src=a alt=''></a><a href=/2><img src=b alt=Picture>"
      "</a><a href=/3 title=Tip></a><a href=/4><svg><title>Drawing</title></svg></a>");
  ASSERT_EQ(facts.links.size(), 4U);
  EXPECT_EQ(facts.links[0].words, "Home page");
  EXPECT_EQ(facts.links[1].words, "Picture");
  EXPECT_TRUE(facts.links[1].image_only);
  EXPECT_EQ(facts.links[2].words, "Tip");
  EXPECT_EQ(facts.links[3].words, "Drawing");
}

TEST(PageReader, JsonLdIsExactlyAsWritten) {  // hard input 21
  const PageFacts facts = read(
      "<script type='application/ld+json'>\r\n//<![CDATA[\n{\"a\": \"&quot;<b>\"};\n//]]></script>"
      "<script>var x = '<a href=/no>';</script>");
  ASSERT_EQ(facts.json_ld.size(), 1U);
  EXPECT_EQ(facts.json_ld[0].text, "\r\n//<![CDATA[\n{\"a\": \"&quot;<b>\"};\n//]]>");
  EXPECT_TRUE(facts.links.empty());
}

TEST(PageReader, EmailProtectionAndSchemelessLinksStayAsWritten) {  // hard inputs 14 and 24
  const PageFacts facts = read(
      "<a href='/cdn-cgi/l/email-protection#ab12'>m</a><a href='www.x.com'>w</a>"
      "<a href='?amp;p=2&amp;amp;q=1'>q</a>");
  ASSERT_EQ(facts.links.size(), 3U);
  EXPECT_EQ(facts.links[0].href, "/cdn-cgi/l/email-protection#ab12");
  EXPECT_EQ(facts.links[1].href, "www.x.com");
  EXPECT_EQ(facts.links[2].href, "?amp;p=2&amp;q=1");
}

TEST(PageReader, PreconnectIsALinkRelAndNoLink) {  // hard input 15
  const PageFacts facts = read(
      "<link rel=preconnect href=//cdn.example><link rel=dns-prefetch "
      "href=//d.example><p>x");
  EXPECT_TRUE(facts.links.empty());
  ASSERT_EQ(facts.link_rels.size(), 2U);
  EXPECT_EQ(facts.link_rels[0].href, "//cdn.example");
}

TEST(PageReader, IdsAndAnchorNamesAreTargets) {  // hard input 16
  const PageFacts facts = read("<p id=one><a name='merge/pull-requests'></a><svg id=two></svg>");
  ASSERT_EQ(facts.ids.size(), 3U);
  EXPECT_EQ(facts.ids[0].value, "one");
  EXPECT_EQ(facts.ids[1].value, "merge/pull-requests");
  EXPECT_TRUE(facts.ids[1].anchor_name);
  EXPECT_EQ(facts.ids[2].value, "two");
  ASSERT_EQ(facts.links.size(), 1U);
  EXPECT_FALSE(facts.links[0].has_href);
}

TEST(PageReader, HeadEndedByABodyElementLeavesMetasOutside) {
  const PageFacts facts = read(
      "<!doctype html><html><head><title>t</title><img src=pixel>\n<meta name=description "
      "content=d><link rel=canonical href=/></head><body>x");
  EXPECT_EQ(facts.head_ended_by, "img");
  EXPECT_TRUE(has_fault(facts, StructureFault::kHeadEndedByElement));
  ASSERT_EQ(facts.metas.size(), 1U);
  EXPECT_FALSE(facts.metas[0].in_head);
  EXPECT_FALSE(facts.link_rels[0].in_head);
  EXPECT_TRUE(facts.titles[0].in_head);
}

TEST(PageReader, UnclosedElementsNameTheirPlace) {
  struct Case {
    const char* html;
    StructureFault fault;
  };
  for (const Case& one : {Case{"<!doctype html>\n<!-- oops <p>x", StructureFault::kUnclosedComment},
                          Case{"<!doctype html>\n<title>x<p>y", StructureFault::kUnclosedTitle},
                          Case{"<!doctype html>\n<textarea>x", StructureFault::kUnclosedTextarea},
                          Case{"<!doctype html>\n<script>x", StructureFault::kUnclosedScript},
                          Case{"<!doctype html>\n<style>x", StructureFault::kUnclosedStyle},
                          Case{"<!doctype html>\n<a href='", StructureFault::kUnclosedTag}}) {
    const PageFacts facts = read(one.html);
    ASSERT_TRUE(has_fault(facts, one.fault)) << one.html;
    EXPECT_EQ(fault_place(facts, one.fault).line, 2U) << one.html;
    EXPECT_EQ(fault_place(facts, one.fault).column, 1U) << one.html;
  }
}

TEST(PageReader, RepeatedHtmlHeadAndBodyTagsAreFaults) {
  const PageFacts facts =
      read("<!doctype html><html><head></head><head><body><p>x<html lang=de><head><body>");
  EXPECT_TRUE(has_fault(facts, StructureFault::kSecondHtml));
  EXPECT_TRUE(has_fault(facts, StructureFault::kSecondHead));
  EXPECT_TRUE(has_fault(facts, StructureFault::kSecondBody));
  EXPECT_EQ(facts.html_lang, "de");
  EXPECT_TRUE(has_fault(read("<p>x"), StructureFault::kQuirksMode));
  EXPECT_TRUE(
      has_fault(read(std::string_view("<!doctype html>\0x", 17)), StructureFault::kNullCharacters));
}

TEST(PageReader, RegionsFollowLandmarks) {
  const PageFacts facts = read(
      "<header><a href=1>a</a></header><nav><a href=2>b</a></nav><main><article><header><a "
      "href=3>c</a></header></article><aside><a href=4>d</a></aside></main><footer><a "
      "href=5>e</a></footer><div role=navigation><a href=6>f</a></div><a href=7>g</a>");
  std::vector<Region> regions;
  for (const Link& link : facts.links) regions.push_back(link.region);
  EXPECT_THAT(regions,
              ElementsAre(Region::kHeader, Region::kNavigation, Region::kMain, Region::kAside,
                          Region::kFooter, Region::kNavigation, Region::kBody));
  EXPECT_EQ(facts.visible_mains, 1U);
  EXPECT_EQ(facts.text, "a\nb\nc\nd\ne\nf\ng");
  EXPECT_EQ(facts.main_text, "c\ng");
  EXPECT_EQ(facts.words, 7U);
  EXPECT_EQ(facts.main_words, 2U);
}

// They are not counted twice, so the sum must be right wherever a landmark begins and ends.
TEST(PageReader, WordsOfTheMainTextAreThoseOfItsString) {
  for (const std::string_view page :
       {"<p>one two<nav>three</nav>four<aside>five-<b>six</b></aside>seven",
        "<p>mid<span role=navigation>dle</span>end and <span role=navigation>more</span>",
        "<header>a<nav>b</nav></header><main>c d</main><footer>e</footer>",
        "<nav>\xE6\xBC\xA2</nav>\xE6\xBC\xA2<i role=banner>\xE6\xBC\xA2</i>\xE6\xBC\xA2",
        "<nav>1.</nav>2<nav></nav>.3<i role=banner> </i>don<i role=banner>'t</i>",
        "<nav>all of it</nav>", "nothing else"}) {
    const PageFacts facts = read(page);
    EXPECT_EQ(facts.main_words, count_words(facts.main_text)) << page;
    EXPECT_EQ(facts.words, count_words(facts.text)) << page;
  }
}

TEST(PageReader, HiddenPartsAreNotTextButTheirLinksAreKept) {
  const PageFacts facts = read(
      "<p>seen<span hidden> not</span></p><div style='color:red; DISPLAY : none'><a href=/h>hid"
      "den</a></div><template><a href=/t>t</a></template><noscript>Please enable JavaScript <a "
      "href=/n>no</a></noscript><style>p{}</style><script>x</script><select><option>o</select>");
  EXPECT_EQ(facts.text, "seen");
  ASSERT_EQ(facts.links.size(), 2U);
  EXPECT_TRUE(facts.links[0].hidden);
  EXPECT_EQ(facts.links[0].words, "hidden");
  EXPECT_EQ(facts.links[1].href, "/n");
  EXPECT_EQ(facts.links[1].words, "no");
  EXPECT_TRUE(facts.asks_for_script);
}

TEST(PageReader, NestedLinksAndReopenedLinksAreThoseOfTheTree) {
  const PageFacts nested = read("<a href=1>one<a href=2>two</a>");
  ASSERT_EQ(nested.links.size(), 2U);
  EXPECT_EQ(nested.links[0].words, "one");
  EXPECT_EQ(nested.links[1].words, "two");
  const PageFacts reopened = read("<p><a href=1>one</p><p>two");
  ASSERT_EQ(reopened.links.size(), 2U);
  EXPECT_EQ(reopened.links[1].href, "1");
  EXPECT_EQ(reopened.links[1].words, "two");
}

TEST(PageReader, TheFirstBaseWithAnAddressCounts) {
  EXPECT_EQ(read("<base target=x><base href=/a/><base href=/b/><p>x").base_href, "/a/");
  EXPECT_EQ(read("<base href=''><base href=/b/><p>x").base_href, "");
  EXPECT_EQ(read("<template><base href=/t/></template><p><base href=/late/>").base_href, "/late/");
}

TEST(PageReader, FramesAreLinks) {
  const PageFacts facts =
      read("<frameset cols='1,2'><frame src=a.html><frame src=b.html></frameset>");
  ASSERT_EQ(facts.links.size(), 2U);
  EXPECT_EQ(facts.links[0].kind, LinkKind::kFrame);
  EXPECT_EQ(facts.links[1].href, "b.html");
  const PageFacts iframe =
      read("<iframe src=x title=Map>text</iframe><map><area href=y alt=Y></map>");
  ASSERT_EQ(iframe.links.size(), 2U);
  EXPECT_EQ(iframe.links[0].kind, LinkKind::kIframe);
  EXPECT_EQ(iframe.links[0].words, "Map");
  EXPECT_EQ(iframe.links[1].words, "Y");
  EXPECT_EQ(iframe.text, "");
}

TEST(PageReader, ControlsAreNamed) {
  const PageFacts facts = read(
      "<label for=a>Mail</label><input id=a><label>Name <input type=text></label><input><input "
      "type=hidden><button>Go</button><input type=submit><select aria-label=Pick></select>"
      "<textarea placeholder=Say></textarea><button><img alt=Search src=x></button>");
  std::vector<std::string_view> names;
  std::vector<bool> named;
  for (const Control& control : facts.controls) {
    names.push_back(control.name);
    named.push_back(control.named);
  }
  EXPECT_THAT(names, ElementsAre("Mail", "Name", "", "Go", "", "Pick", "Say", "Search"));
  EXPECT_THAT(named, ElementsAre(true, true, false, true, true, true, true, true));
  EXPECT_THAT(facts.label_refs, ElementsAre("a"));
}

TEST(PageReader, ResourcesThatTheBrowserFetches) {
  const PageFacts facts = read(
      "<link rel='preload stylesheet' href=s><script src=j></script><img src=i><iframe "
      "src=f></iframe><object data=o></object><embed src=e><audio src=a></audio><video "
      "src=v><source src=u><track src=t></video><form action=w><button formaction=x>");
  std::vector<std::string_view> urls;
  for (const Resource& resource : facts.resources) urls.push_back(resource.url);
  EXPECT_THAT(urls, ElementsAre("s", "j", "i", "f", "o", "e", "a", "v", "u", "t", "w", "x"));
  EXPECT_EQ(facts.resources[0].kind, ResourceKind::kStylesheet);
  EXPECT_EQ(facts.resources[11].kind, ResourceKind::kFormAction);
}

TEST(PageReader, SignsOfApplicationShellsAndAuthors) {
  const PageFacts shell = read("<body><div id=root></div><script src=x></script>");
  EXPECT_EQ(shell.app_root, "root");
  EXPECT_EQ(read("<div id=root>text</div>").app_root, "");
  EXPECT_TRUE(read("<p class='post-Author x'>A</p>").byline);
  EXPECT_TRUE(read("<a rel=author href=/me>Me</a>").byline);
  EXPECT_FALSE(read("<p class=text>A</p>").byline);
  EXPECT_THAT(read("<time datetime=2026-01-02>x</time>").times, ElementsAre("2026-01-02"));
}

TEST(PageReader, NoSnippetWordsAreCountedInsideTheMainText) {
  const PageFacts facts =
      read("<nav data-nosnippet>in nav</nav><p>one two <span data-nosnippet>three four</span></p>");
  EXPECT_EQ(facts.main_words, 4U);
  EXPECT_EQ(facts.nosnippet_words, 2U);
}

TEST(PageReader, LinksOnlyLeavesTheOtherVectorsEmpty) {
  PageFacts facts;
  read_page({.bytes = "<title>t</title><h1>h</h1><img src=i><p id=x><a href=y>z</a>",
             .content_type = "",
             .links_only = true},
            &facts);
  EXPECT_EQ(facts.title, "t");
  EXPECT_EQ(facts.links.size(), 1U);
  EXPECT_EQ(facts.links[0].words, "z");
  EXPECT_EQ(facts.text, "h\nz");
  EXPECT_TRUE(facts.headings.empty());
  EXPECT_TRUE(facts.images.empty());
  EXPECT_TRUE(facts.ids.empty());
}

TEST(PageReader, MojibakeIsCounted) {
  const PageFacts facts = read("<p>caf\u00C3\u00A9 \u00E2\u20AC\u2122 ok \uFFFD \xFF");
  EXPECT_EQ(facts.double_utf8_runs, 2U);
  EXPECT_EQ(facts.replacement_chars, 2U);
  EXPECT_EQ(facts.undecodable, 1U);
}

TEST(PageReader, DepthIsBoundedAndLinear) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<div><b>";
  deep += "<a href=/end>end</a>";
  const PageFacts facts = read(deep);
  ASSERT_EQ(facts.links.size(), 1U);
  EXPECT_EQ(facts.links[0].words, "end");
  std::string wide = "<a";
  for (int i = 0; i < 100'000; ++i) wide += " a" + std::to_string(i);
  EXPECT_EQ(read(wide + " href=/x>y").links.size(), 1U);
}

TEST(PageReader, FactsAreReusedWithoutTraces) {
  PageFacts facts;
  read_page({.bytes = "<title>a</title><a href=1>one</a><p id=x>", .content_type = ""}, &facts);
  read_page({.bytes = "", .content_type = ""}, &facts);
  EXPECT_TRUE(facts.links.empty());
  EXPECT_TRUE(facts.title.empty());
  EXPECT_TRUE(facts.ids.empty());
  EXPECT_EQ(facts.words, 0U);
  PageFacts moved = std::move(facts);
  read_page({.bytes = "<title>b</title>", .content_type = ""}, &moved);
  EXPECT_EQ(moved.title, "b");
}

}  // namespace
}  // namespace periplus
