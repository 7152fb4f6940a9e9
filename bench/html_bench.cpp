// rooms: html
// pkgs: gumbo libxml-2.0
// Reading a tree of HTML files: all facts, links only, and the tokenizer alone, beside gumbo
// and libxml2's SAX reader, which only count links and take the title. CPU seconds of one core; the
// median of several rounds. Usage: html_bench [--rounds N] [--only READER] DIR…
// With --only, for a profiler, the one reader runs and nothing is compared.
#include <dirent.h>
#include <gumbo.h>
#include <libxml/HTMLparser.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "html/page_reader.h"
#include "html/tokenizer.h"

namespace {

struct File {
  std::string path;
  std::string bytes;
};

void collect(const std::string& path, std::vector<File>* files) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return;
  if (S_ISDIR(info.st_mode)) {
    DIR* folder = opendir(path.c_str());
    if (folder == nullptr) return;
    std::vector<std::string> names;
    while (const dirent* entry = readdir(folder)) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(folder);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) collect(path + "/" + name, files);
  } else if (path.ends_with(".html") || path.ends_with(".htm") || path.ends_with(".xhtml")) {
    std::ifstream file(path, std::ios::binary);
    files->push_back({path, {std::istreambuf_iterator<char>(file), {}}});
  }
}

struct Answer {
  std::size_t links = 0;
  std::string title;
  bool operator==(const Answer&) const = default;
};

std::string folded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::strchr(" \t\n\r\f", c) == nullptr || c == '\0') {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

Answer ask_gumbo(const std::string& bytes) {
  Answer answer;
  bool titled = false;
  GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, bytes.data(), bytes.size());
  std::vector<const GumboNode*> waiting{output->root};
  while (!waiting.empty()) {
    const GumboNode* node = waiting.back();
    waiting.pop_back();
    if (node->type != GUMBO_NODE_ELEMENT) continue;  // not into templates
    const GumboElement& element = node->v.element;
    if (element.tag_namespace == GUMBO_NAMESPACE_HTML) {
      const char* address = nullptr;
      if (element.tag == GUMBO_TAG_A || element.tag == GUMBO_TAG_AREA) address = "href";
      if (element.tag == GUMBO_TAG_FRAME || element.tag == GUMBO_TAG_IFRAME) address = "src";
      if (address != nullptr && gumbo_get_attribute(&element.attributes, address) != nullptr) {
        ++answer.links;
      }
      if (element.tag == GUMBO_TAG_TITLE && !titled) {
        titled = true;
        if (element.children.length > 0) {
          answer.title = folded(static_cast<GumboNode*>(element.children.data[0])->v.text.text);
        }
      }
    }
    for (unsigned i = element.children.length; i-- > 0;) {
      waiting.push_back(static_cast<const GumboNode*>(element.children.data[i]));
    }
  }
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  return answer;
}

struct SaxState {
  Answer answer;
  bool in_title = false;
  bool titled = false;
};

void sax_start(void* context, const xmlChar* name, const xmlChar** attributes) {
  auto* state = static_cast<SaxState*>(context);
  const char* tag = reinterpret_cast<const char*>(name);
  const char* address = nullptr;
  if (std::strcmp(tag, "a") == 0 || std::strcmp(tag, "area") == 0) address = "href";
  if (std::strcmp(tag, "frame") == 0 || std::strcmp(tag, "iframe") == 0) address = "src";
  if (std::strcmp(tag, "title") == 0) state->in_title = !state->titled;
  for (; address != nullptr && attributes != nullptr && attributes[0] != nullptr; attributes += 2) {
    if (std::strcmp(reinterpret_cast<const char*>(attributes[0]), address) == 0) {
      ++state->answer.links;
      return;
    }
  }
}

void sax_end(void* context, const xmlChar* name) {
  auto* state = static_cast<SaxState*>(context);
  if (std::strcmp(reinterpret_cast<const char*>(name), "title") == 0) {
    state->titled = true;
    state->in_title = false;
  }
}

void sax_text(void* context, const xmlChar* text, int size) {
  auto* state = static_cast<SaxState*>(context);
  if (state->in_title) {
    state->answer.title.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  }
}

Answer ask_libxml2(const std::string& bytes) {
  static htmlSAXHandler handler = [] {
    htmlSAXHandler made{};
    made.startElement = sax_start;
    made.endElement = sax_end;
    made.characters = sax_text;
    return made;
  }();
  SaxState state;
  htmlParserCtxtPtr parser =
      htmlCreatePushParserCtxt(&handler, &state, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
  htmlParseChunk(parser, bytes.data(), static_cast<int>(bytes.size()), 1);
  htmlFreeParserCtxt(parser);
  return state.answer;
}

Answer ask_ours(const std::string& bytes, bool links_only, periplus::PageFacts* facts) {
  periplus::read_page(
      {.bytes = bytes, .content_type = "text/html; charset=utf-8", .links_only = links_only},
      facts);
  Answer answer;
  for (const periplus::Link& link : facts->links) answer.links += link.has_href ? 1 : 0;
  answer.title = facts->titles.empty() ? "" : std::string(facts->titles.front().text);
  return answer;
}

std::size_t count_tokens(const std::string& bytes, periplus::Tokenizer* tokenizer) {
  tokenizer->restart();
  tokenizer->feed(bytes);
  tokenizer->finish();
  std::size_t tokens = 0;
  while (tokenizer->next().kind != periplus::TokenKind::kEnd) ++tokens;
  return tokens;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds(const std::function<void()>& run) {
  const double start = cpu_seconds();
  run();
  return cpu_seconds() - start;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  int rounds = 5;
  std::string only;
  std::vector<File> files;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--rounds") == 0 && i + 1 < count) {
      rounds = std::atoi(arguments[++i]);
    } else if (std::strcmp(arguments[i], "--only") == 0 && i + 1 < count) {
      only = arguments[++i];
    } else {
      collect(arguments[i], &files);
    }
  }
  if (files.empty()) {
    for (const char* folder :
         {"/usr/share/doc/postgresql-doc-15/html/", "/usr/share/doc/python3.11/html/"}) {
      collect(folder, &files);
    }
  }
  std::size_t octets = 0;
  for (const File& file : files) octets += file.bytes.size();
  if (octets == 0) {
    std::fprintf(stderr, "html_bench: no HTML files; name a folder that holds some\n");
    return 2;
  }
  const double megabytes = static_cast<double>(octets) / 1e6;
  std::printf("%zu files, %.1f MB\n", files.size(), megabytes);

  periplus::PageFacts facts;
  std::size_t links = 0;
  int differences = 0;
  for (const File& file : files) {
    if (!only.empty()) break;
    const Answer ours = ask_ours(file.bytes, false, &facts);
    const Answer theirs = ask_gumbo(file.bytes);
    links += ours.links;
    if (ours == theirs) continue;
    if (++differences <= 10) {
      std::printf("  differs from gumbo: %s: %zu links for %zu, title \"%s\" for \"%s\"\n",
                  file.path.c_str(), ours.links, theirs.links, ours.title.c_str(),
                  theirs.title.c_str());
    }
  }
  if (only.empty())
    std::printf("%zu links; %d of %zu files differ from gumbo in links or title\n", links,
                differences, files.size());

  periplus::Tokenizer tokenizer(true);
  std::size_t sum = 0;  // keeps the work from being left out
  struct Reader {
    const char* name;
    std::function<std::size_t(const std::string&)> ask;
    std::vector<double> times;
  };
  Reader readers[] = {
      {"all facts", [&](const std::string& b) { return ask_ours(b, false, &facts).links; }, {}},
      {"links only", [&](const std::string& b) { return ask_ours(b, true, &facts).links; }, {}},
      {"tokenizer alone", [&](const std::string& b) { return count_tokens(b, &tokenizer); }, {}},
      {"libxml2 SAX", [&](const std::string& b) { return ask_libxml2(b).links; }, {}},
      {"gumbo", [&](const std::string& b) { return ask_gumbo(b).links; }, {}},
  };
  // Every round asks each reader, so that a busy minute of the machine falls on all of them.
  for (int round = 0; round < rounds; ++round) {
    for (Reader& reader : readers) {
      if (!only.empty() && only != reader.name) continue;
      reader.times.push_back(seconds([&] {
        for (const File& file : files) sum += reader.ask(file.bytes);
      }));
    }
  }
  const double libxml2 = median(readers[3].times);
  const double gumbo = median(readers[4].times);
  for (const Reader& reader : readers) {
    if (reader.times.empty()) continue;
    const double time = median(reader.times);
    std::printf("%-16s %8.1f MB/s   %6.2f x libxml2 SAX   %6.2f x gumbo\n", reader.name,
                megabytes / time, libxml2 / time, gumbo / time);
  }
  std::printf("(%zu)\n", sum);
  return differences == 0 ? 0 : 1;
}
