#include "html/page_reader.h"

#include "html/encoding.h"
#include "html/page_memory.h"
#include "html/word_count.h"

namespace periplus {
namespace {

void read_encoding(const ReadRequest& request, PageFacts* facts) {
  PageFacts::Memory& memory = *facts->memory;
  const EncodingChoice choice = choose_encoding(request.bytes, request.content_type);
  facts->encoding = choice.name;
  facts->encoding_source = choice.source;
  facts->header_charset = memory.arena.keep(choice.header_label);
  facts->meta_charset = memory.arena.keep(choice.meta_label);
  facts->undecodable = decode_to_utf8(request.bytes.substr(choice.bom), choice.name, &memory.page);
}

}  // namespace

void read_page(const ReadRequest& request, PageFacts* facts) {
  facts->clear();
  if (facts->memory == nullptr) facts->memory = std::make_unique<PageFacts::Memory>();
  PageFacts::Memory& memory = *facts->memory;
  facts->source_bytes = static_cast<std::uint32_t>(request.bytes.size());
  read_encoding(request, facts);

  memory.page.append(FactCollector::kPadding, '\0');
  const std::string_view page(memory.page.data(), memory.page.size() - FactCollector::kPadding);
  // Character references grow by a fifth at most ("&nGt;" is six octets of UTF-8), and a break
  // between blocks stands for a tag.
  const std::size_t most = page.size() + page.size() / 4 + 64;
  memory.shown.start(most);
  memory.hidden.start(most);
  memory.collector.start(facts, &memory.arena, &memory.shown, &memory.hidden, page,
                         request.links_only);
  const std::size_t nul = page.find('\0');
  if (nul != std::string_view::npos) {
    memory.collector.fault(StructureFault::kNullCharacters, nul);
  }

  Tokenizer& tokenizer = memory.tokenizer;
  TreeModel& tree = memory.tree;
  tokenizer.restart();
  tree.restart();
  tokenizer.feed(page);
  tokenizer.finish();
  std::size_t comment_at = 0;
  for (;;) {
    tokenizer.allow_cdata(tree.in_foreign());
    const Token& token = tokenizer.next();
    if (token.kind == TokenKind::kEnd) {
      if (tokenizer.unfinished() == Unfinished::kTag) {
        memory.collector.fault(StructureFault::kUnclosedTag, token.at);
      }
      break;
    }
    if (token.kind == TokenKind::kComment) {
      comment_at = token.at;
      continue;
    }
    tree.take(token);
  }
  if (tokenizer.unfinished() == Unfinished::kComment) {
    memory.collector.fault(StructureFault::kUnclosedComment, comment_at);
  }
  memory.collector.unfinished_text(tree.unfinished_text());
  tree.finish();
  memory.collector.finish();

  facts->replacement_chars = count_replacements(facts->text);
  facts->double_utf8_runs = count_double_utf8(facts->text);
}

}  // namespace periplus
