#include "url/site.h"

#include <libpsl.h>

#include <filesystem>

#include "base/text.h"
#include "url/idna.h"

namespace periplus {
namespace {

constexpr const char* kDebianList = "/usr/share/publicsuffix/public_suffix_list.dat";

class PslSuffixes final : public PublicSuffixes {
 public:
  explicit PslSuffixes(std::unique_ptr<psl_ctx_t, void (*)(psl_ctx_t*)> list)
      : list_(std::move(list)) {}
  std::string site(std::string_view host) const override { return registrable(host, PSL_TYPE_ANY); }
  std::string owner(std::string_view host) const override {
    return registrable(host, PSL_TYPE_ICANN);
  }

 private:
  // One label more than the longest suffix; the host itself where there is none (addresses,
  // suffixes, bare names).
  std::string registrable(std::string_view host, int type) const {
    if (host.ends_with('.')) host.remove_suffix(1);
    std::string name(host);
    if (is_ip_literal(host) || host.find('.') == std::string_view::npos) return name;
    if (psl_is_public_suffix2(list_.get(), name.c_str(), type) != 0) return name;
    std::size_t start = name.size();
    std::string found = name;
    while ((start = start == 0 ? std::string::npos : name.rfind('.', start - 1)) !=
           std::string::npos) {
      const std::string suffix = name.substr(start + 1);
      if (psl_is_public_suffix2(list_.get(), suffix.c_str(), type) == 0) break;
      const std::size_t before = start == 0 ? std::string::npos : name.rfind('.', start - 1);
      found = before == std::string::npos ? name : name.substr(before + 1);
    }
    return found;
  }
  std::unique_ptr<psl_ctx_t, void (*)(psl_ctx_t*)> list_;
};

}  // namespace

Result<std::unique_ptr<PublicSuffixes>> PublicSuffixes::load(const std::string& file) {
  psl_ctx_t* list = nullptr;
  if (!file.empty()) {
    list = psl_load_file(file.c_str());
    if (list == nullptr || psl_suffix_count(list) == 0) {
      psl_free(list);
      return fail(ErrorKind::kConfig, "cannot read a Public Suffix List there", file);
    }
  } else {
    if (std::filesystem::exists(kDebianList)) list = psl_load_file(kDebianList);
    if (list == nullptr) list = psl_latest(nullptr);
    if (list == nullptr)
      return fail(ErrorKind::kConfig,
                  "there is no Public Suffix List; install publicsuffix or name one with --psl");
  }
  return std::make_unique<PslSuffixes>(
      std::unique_ptr<psl_ctx_t, void (*)(psl_ctx_t*)>(list, psl_free));
}

std::uint64_t url_key(std::string_view href_without_fragment) {
  return hash64(href_without_fragment);
}

std::uint16_t bucket_of(std::string_view site) {
  return static_cast<std::uint16_t>(hash64(site) & 1023U);
}

}  // namespace periplus
