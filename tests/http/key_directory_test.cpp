#include "http/key_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "http/signature_base.h"
#include "http/signature_key_ring.h"
#include "http/structured_field.h"
#include "testdata.h"

namespace periplus {
namespace {

using Json = nlohmann::json;

constexpr Instant kNow{Millis{1'796'000'000'000}};

std::string line_of(const std::vector<std::pair<std::string, std::string>>& lines,
                    std::string_view name) {
  for (const auto& [known, value] : lines) {
    if (known == name) return value;
  }
  return "(none)";
}

TEST(KeyDirectory, ReproducesTheSignedAnswerOfTheDraft) {
  const std::string root = PERIPLUS_NEEDS_TESTDATA("http-message-signatures/");
  const Json vector = Json::parse(
      read_file(root + "web-bot-auth/derived_signature_bases.json"))["signed_directory_response"];
  const Json keys = Json::parse(read_file(root + "rfc9421-keys.json"));
  const std::string pem = keys[vector["key"].get<std::string>()]["private_pem"];
  const std::vector<SigningKey> ring = {SigningKey::from_pem(pem).value()};
  const Json& expected = vector["response"];
  const std::string body = key_directory_json(ring);
  EXPECT_EQ(body, expected["body"].get<std::string>());
  EXPECT_EQ(kKeyDirectoryPath, vector["request"]["path"].get<std::string>());
  const auto lines = key_directory_headers(ring, vector["request"]["authority"].get<std::string>(),
                                           body, Instant{std::chrono::seconds{1735689600}},
                                           std::chrono::seconds{4889289600 - 1735689600});
  EXPECT_EQ(line_of(lines, "Content-Type"), expected["content_type"].get<std::string>());
  EXPECT_EQ(line_of(lines, "Content-Digest"), expected["content_digest"].get<std::string>());
  EXPECT_EQ(line_of(lines, "Signature-Input"), expected["signature_input"].get<std::string>());
  EXPECT_EQ(line_of(lines, "Signature"), expected["signature"].get<std::string>());
}

TEST(KeyDirectory, EveryKeySignsTheAnswer) {
  std::vector<SigningKey> keys;
  for (int i = 0; i < 3; ++i) keys.push_back(SigningKey::generate().value());
  const std::string body = key_directory_json(keys);
  const Json set = Json::parse(body);
  ASSERT_EQ(set["keys"].size(), 3U);

  const auto lines = key_directory_headers(keys, "Bot.Example", body, kNow, std::chrono::hours{24});
  SignedMessage request;
  request.method = "GET";
  request.scheme = "https";
  request.authority = "bot.example";
  request.path = kKeyDirectoryPath;
  SignedMessage response;
  response.status = 200;
  response.headers.lines = lines;
  response.request = &request;
  const SfDictionary inputs = parse_sf_dictionary(line_of(lines, "Signature-Input")).value();
  const SfDictionary signatures = parse_sf_dictionary(line_of(lines, "Signature")).value();
  ASSERT_EQ(inputs.size(), 3U);
  ASSERT_EQ(signatures.size(), 3U);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(set["keys"][i]["kid"].get<std::string>(), keys[i].thumbprint());
    const SfInnerList& covered = std::get<SfInnerList>(inputs[i].second);
    EXPECT_EQ(*find_sf(covered.parameters, "keyid"), SfBareItem(keys[i].thumbprint()));
    const std::string base = signature_base(response, covered).value();
    const SfItem& signature = std::get<SfItem>(*find_sf(signatures, inputs[i].first));
    const auto raw = keys[i].public_octets();
    EXPECT_TRUE(verify_ed25519({reinterpret_cast<const char*>(raw.data()), raw.size()}, base,
                               std::get<SfBytes>(signature.value).octets));
  }
}

TEST(KeyDirectory, OfNoKeyIsEmptyAndUnsigned) {
  EXPECT_EQ(key_directory_json({}), R"({"keys":[]})");
  const auto lines = key_directory_headers({}, "bot.example", "{}", kNow, std::chrono::hours{1});
  EXPECT_EQ(line_of(lines, "Signature"), "(none)");
}

class KeyRingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "periplus-keys-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    folder_ = root_ + "/keys";
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  static unsigned mode_of(const std::string& path) {
    struct stat facts{};
    EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
    return facts.st_mode & 07777U;
  }
  std::string root_, folder_;
};

TEST_F(KeyRingTest, AMissingFolderIsAnEmptyRing) {
  const KeyRing ring = KeyRing::open(folder_).value();
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.current(), nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(KeyRingTest, TheNewestKeyIsCurrentAndTheOlderOnesStay) {
  KeyRing ring = KeyRing::open(folder_).value();
  std::vector<std::string> made;
  for (int i = 0; i < 11; ++i) {
    ASSERT_TRUE(ring.add_new(kNow).has_value());
    made.insert(made.begin(), ring.current()->thumbprint());
  }
  const KeyRing again = KeyRing::open(folder_ + "/").value();
  ASSERT_EQ(again.entries().size(), 11U);
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(again.entries()[i].key.thumbprint(), made[i]);
    EXPECT_EQ(again.keys()[i].thumbprint(), ring.keys()[i].thumbprint());
  }
  EXPECT_EQ(again.entries()[0].created, to_rfc3339(kNow));
  EXPECT_EQ(again.current()->sign("x"), ring.current()->sign("x"));
}

TEST_F(KeyRingTest, FilesAreForTheOwnerOnlyAndNothingElseIsLeft) {
  KeyRing ring = KeyRing::open(folder_).value();
  const mode_t before = ::umask(0);
  const Result<void> added = ring.add_new(kNow);
  ::umask(before);
  ASSERT_TRUE(added.has_value()) << added.error().sentence;
  EXPECT_EQ(mode_of(folder_), 0700U);
  EXPECT_EQ(mode_of(folder_ + "/" + ring.entries()[0].file), 0600U);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    ++files;
    EXPECT_EQ(entry.path().extension(), ".pem");
  }
  EXPECT_EQ(files, 1);
}

TEST_F(KeyRingTest, AKeyThatOthersMayReadIsRefused) {
  KeyRing ring = KeyRing::open(folder_).value();
  ASSERT_TRUE(ring.add_new(kNow).has_value());
  const std::string path = folder_ + "/" + ring.entries()[0].file;
  for (const mode_t mode : {0640U, 0604U, 0644U, 0620U, 0601U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const Result<KeyRing> opened = KeyRing::open(folder_);
    ASSERT_FALSE(opened.has_value()) << mode;
    EXPECT_EQ(opened.error().kind, ErrorKind::kConfig);
    EXPECT_EQ(opened.error().place, path);
    EXPECT_NE(opened.error().sentence.find("0600"), std::string::npos);
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_TRUE(KeyRing::open(folder_).has_value());
}

TEST_F(KeyRingTest, AFolderThatOthersMayChangeIsRefused) {
  KeyRing ring = KeyRing::open(folder_).value();
  ASSERT_TRUE(ring.add_new(kNow).has_value());
  ASSERT_EQ(::chmod(folder_.c_str(), 0770), 0);
  const Result<KeyRing> opened = KeyRing::open(folder_);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().place, folder_);
}

TEST_F(KeyRingTest, AFileThatIsNoKeyIsNamed) {
  std::filesystem::create_directory(folder_);
  ASSERT_EQ(::chmod(folder_.c_str(), 0700), 0);
  std::ofstream(folder_ + "/notes.txt") << "not a key, and not read";
  EXPECT_TRUE(KeyRing::open(folder_).value().empty());
  std::ofstream(folder_ + "/mine.pem") << "garbage";
  ASSERT_EQ(::chmod((folder_ + "/mine.pem").c_str(), 0600), 0);
  const Result<KeyRing> opened = KeyRing::open(folder_);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().place, folder_ + "/mine.pem");
}

TEST_F(KeyRingTest, AKeyMadeByAnotherProcessIsNotOverwritten) {
  KeyRing one = KeyRing::open(folder_).value();
  KeyRing two = KeyRing::open(folder_).value();
  ASSERT_TRUE(one.add_new(kNow).has_value());
  ASSERT_TRUE(two.add_new(kNow).has_value());
  const KeyRing ring = KeyRing::open(folder_).value();
  ASSERT_EQ(ring.entries().size(), 2U);
  EXPECT_EQ(ring.entries()[0].key.thumbprint(), two.current()->thumbprint());
  EXPECT_EQ(ring.entries()[1].key.thumbprint(), one.current()->thumbprint());
}

TEST_F(KeyRingTest, AnOldKeyIsDroppedByTheBeginningOfItsThumbprint) {
  KeyRing ring = KeyRing::open(folder_).value();
  ASSERT_TRUE(ring.add_new(kNow).has_value());
  const std::string old = ring.current()->thumbprint();
  ASSERT_TRUE(ring.add_new(kNow).has_value());
  const std::string current = ring.current()->thumbprint();
  EXPECT_FALSE(ring.drop("").has_value());
  EXPECT_FALSE(ring.drop("nothing-of-ours").has_value());
  EXPECT_FALSE(ring.drop(current).has_value());
  ASSERT_TRUE(ring.drop(old.substr(0, 20)).has_value());
  EXPECT_EQ(KeyRing::open(folder_).value().entries().size(), 1U);
  ASSERT_TRUE(ring.drop(current).has_value());
  EXPECT_TRUE(ring.empty());
  EXPECT_TRUE(KeyRing::open(folder_).value().empty());
}

}  // namespace
}  // namespace periplus
