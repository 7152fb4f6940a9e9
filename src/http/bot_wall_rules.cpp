// Facts about protection products, from their documentation and from captured answers. A rule is
// one header that only a refusal carries, or two marks of a page that has no content of its own.
#include "http/bot_wall_rules.h"

#include <limits>

namespace periplus {
namespace {

using enum WallPlace;
using enum WallStatus;
using enum BotWallKind;

constexpr std::size_t kAnyText = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kPage = kWallTextBytes;  // explains itself to people
constexpr std::size_t kShort = 600;            // a few lines
constexpr std::size_t kBare = 200;             // next to nothing

constexpr WallMark header(std::string_view value) { return {kHeader, value}; }
constexpr WallMark cookie(std::string_view value) { return {kCookie, value}; }
constexpr WallMark title(std::string_view value) { return {kTitle, value}; }
constexpr WallMark text(std::string_view value) { return {kText, value}; }
constexpr WallMark markup(std::string_view value) { return {kMarkup, value}; }

constexpr WallRule rule(std::string_view vendor, BotWallKind kind, WallStatus status,
                        std::size_t most_text, WallMark a, WallMark b = {}, WallMark c = {},
                        WallMark d = {}) {
  return {vendor, kind, status, 0, most_text, {a, b, c, d}};
}
constexpr WallRule rule(std::string_view vendor, BotWallKind kind, int status,
                        std::size_t most_text, WallMark a, WallMark b = {}, WallMark c = {},
                        WallMark d = {}) {
  return {vendor, kind, kAny, status, most_text, {a, b, c, d}};
}
constexpr WallRule harmless(std::string_view vendor, WallStatus status, WallMark a,
                            WallMark b = {}) {
  return {vendor, kBlock, status, 0, kPage, {a, b}, false};
}

constexpr auto kRules = std::to_array<WallRule>({
    // --- Signals in the header alone -----------------------------------------------------------
    rule("cloudflare", kChallenge, kAny, kAnyText, header("cf-mitigated: challenge")),
    rule("aws-waf", kChallenge, kAny, kAnyText, header("x-amzn-waf-action: challenge")),
    rule("aws-waf", kChallenge, kAny, kAnyText, header("x-amzn-waf-action: captcha")),
    rule("aws-waf", kBlock, kRefused, kAnyText, header("x-blocked-by-waf: aws")),
    rule("vercel", kChallenge, kAny, kAnyText, header("x-vercel-mitigated: challenge")),
    rule("vercel", kBlock, kAny, kAnyText, header("x-vercel-mitigated: deny")),
    rule("vercel", kRateLimit, 429, kAnyText, header("x-vercel-mitigated: rate")),
    rule("siteground", kChallenge, kAny, kAnyText, header("sg-captcha: challenge")),
    rule("yandex", kChallenge, kAny, kAnyText, header("x-yandex-captcha: captcha")),
    rule("sucuri", kBlock, kRefused, kAnyText, header("x-sucuri-block:")),
    rule("kasada", kChallenge, 429, kPage, WallMark{kHeaderPrefix, "x-kpsdk-"}),
    rule("kasada", kChallenge, 403, kBare, WallMark{kHeaderPrefix, "x-kpsdk-"}),
    rule("linkedin", kBlock, 999, kAnyText, WallMark{}),
    // Sent elsewhere to wait or to prove something.
    rule("queue-it", kRateLimit, kRedirect, kAnyText, header("location: .queue-it.net")),
    rule("queue-it", kRateLimit, kRedirect, kAnyText, header("x-queueit-redirect:")),
    rule("datadome", kChallenge, kRedirect, kAnyText, header("location: .captcha-delivery.com/")),
    rule("radware", kChallenge, kRedirect, kAnyText, header("location: validate.perfdrive.com")),
    rule("radware", kChallenge, kRedirect, kAnyText, header("location: captcha.perfdrive.com")),
    rule("google", kChallenge, kRedirect, kAnyText, header("location: google.com/sorry/")),
    rule("yandex", kChallenge, kRedirect, kAnyText, header("location: /showcaptcha?")),
    rule("alibaba", kChallenge, kRedirect, kAnyText, header("location: x5secdata=")),
    rule("alibaba", kChallenge, kRedirect, kAnyText, header("location: /_____tmd_____/punish")),
    rule("imperva", kChallenge, kRedirect, kAnyText, header("location: /distil_r_captcha.html")),
    rule("anubis", kChallenge, kRedirect, kAnyText, header("location: /.within.website/")),

    // --- Cloudflare (its numbered errors are read by code) ---------------------------------------
    rule("cloudflare", kChallenge, kAny, kPage, markup("_cf_chl_opt"),
         markup("/cdn-cgi/challenge-platform/")),
    rule("cloudflare", kChallenge, kAny, kPage, markup("_cf_chl_opt"), title("^just a moment")),
    rule("cloudflare", kChallenge, kAny, kPage, markup("_cf_chl_opt"),
         text("enable javascript and cookies to continue")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("_cf_chl_opt"),
         header("server: cloudflare")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("_cf_chl_opt"), header("cf-ray:")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^just a moment...$"),
         markup("/orchestrate/")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^just a moment...$"),
         text("enable javascript and cookies to continue")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^just a moment...$"),
         header("server: cloudflare"), text("checking your browser")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^just a moment...$"),
         header("server: cloudflare"), text("site connection is secure")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("jschl_vc"), markup("challenge-form")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("jschl-answer"),
         markup("challenge-form")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("__cf_chl_"), markup("challenge-form")),
    rule("cloudflare", kChallenge, kRefused, kPage, markup("__cf_chl_"),
         header("server: cloudflare")),
    rule("cloudflare", kChallenge, kRefused, kPage, text("checking your browser before accessing"),
         text("ddos protection by cloudflare")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^attention required! | cloudflare"),
         text("complete the security check")),
    rule("cloudflare", kChallenge, kRefused, kPage, title("^attention required! | cloudflare"),
         markup("captcha-")),
    rule("cloudflare", kBlock, kRefused, kPage, title("^attention required! | cloudflare"),
         text("you have been blocked")),
    rule("cloudflare", kBlock, kRefused, kPage, text("sorry, you have been blocked"),
         markup("cf-error-details")),
    rule("cloudflare", kRateLimit, kRefused, kPage, markup("cf-error-details"),
         text("you are being rate limited")),
    rule("cloudflare", kBlock, 403, kPage, markup("cf-error-details"),
         title("used cloudflare to restrict access")),
    rule("cloudflare", kBlock, 403, kPage, header("server: cloudflare"),
         title("used cloudflare to restrict access")),

    // --- AWS WAF and CloudFront
    // --------------------------------------------------------------------
    rule("aws-waf", kChallenge, kAny, kPage, markup("gokuprops"), markup("awswaf.com/")),
    rule("aws-waf", kChallenge, kAny, kShort, markup("gokuprops"), markup("challenge-container")),
    rule("aws-waf", kChallenge, kAny, kShort, markup("awswafintegration"),
         markup("challenge-container")),
    rule("aws-waf", kChallenge, kRefused, kPage, markup("awswafcaptcha"), markup("awswaf.com/")),
    rule("aws-waf", kChallenge, kAny, kShort, markup("awswafcaptcha"),
         title("^human verification$")),
    rule("aws-waf", kBlock, 403, kPage, text("request blocked"), text("generated by cloudfront"),
         text("could not be satisfied")),
    rule("amazon", kChallenge, kAny, kPage, markup("/errors/validatecaptcha"),
         text("enter the characters you see below")),
    rule("amazon", kChallenge, kAny, kPage, markup("/errors/validatecaptcha"),
         markup("csm-captcha-instrumentation")),
    rule("amazon", kChallenge, kAny, kShort, markup("/errors/validatecaptcha"),
         text("continue shopping")),

    // --- Akamai
    // ------------------------------------------------------------------------------------
    rule("akamai", kBlock, kRefused, kPage, title("access denied"),
         text("you don't have permission to access"), text("reference #")),
    rule("akamai", kBlock, kRefused, kPage, text("access denied"), text("reference #18.")),
    rule("akamai", kBlock, kRefused, kPage, text("access denied"), text("errors.edgesuite.net/")),
    rule("akamai", kBlock, kRefused, kPage, text("access denied"), markup("errors.edgesuite.net/")),
    rule("akamai", kBlock, 403, kShort, header("server: akamaighost"), text("reference #18.")),
    rule("akamai", kRateLimit, 429, kPage, header("server: akamaighost"), text("reference #")),
    rule("akamai", kChallenge, kAny, kShort, markup("sec-if-cpt-container"), markup("scf-akamai-")),
    rule("akamai", kChallenge, kAny, kShort, markup("sec-if-cpt-container"),
         text("protected by akamai")),
    rule("akamai", kChallenge, kAny, kBare, markup("sec-if-cpt-container"), markup("<script")),
    rule("akamai", kChallenge, kAny, kShort, markup("bm-verify="), markup("/_sec/verify")),
    rule("akamai", kChallenge, kAny, kBare, markup("bm-verify="), markup("http-equiv=refresh")),
    rule("akamai", kChallenge, kAny, kShort, markup("/_sec/cp_challenge/"), markup("<script")),
    rule("akamai", kChallenge, kAny, kShort, markup("sec-cp-challenge:true")),
    rule("akamai", kChallenge, 428, kAnyText, cookie("sec_cpt=")),

    // --- DataDome
    // ----------------------------------------------------------------------------------
    rule("datadome", kBlock, kAny, kShort, markup("captcha-delivery.com"), markup(",t:bv")),
    rule("datadome", kBlock, kAny, kShort, markup("captcha-delivery.com"), markup("{t:bv")),
    rule("datadome", kBlock, kAny, kShort, markup("captcha-delivery.com"), markup("&t=bv")),
    rule("datadome", kChallenge, kAny, kShort, markup("captcha-delivery.com"), markup("dd={")),
    rule("datadome", kChallenge, kAny, kShort, markup("{url:https://"),
         markup("captcha-delivery.com/")),
    rule("datadome", kChallenge, kRefused, kShort, markup("captcha-delivery.com/"),
         header("x-datadome:")),
    rule("datadome", kChallenge, kRefused, kShort, markup("captcha-delivery.com/"),
         cookie("datadome=")),
    rule("datadome", kChallenge, kRefused, kPage, header("x-dd-b: 1")),
    rule("datadome", kChallenge, kRefused, kPage, header("x-dd-b: 2")),

    // --- Imperva (Incapsula, Distil)
    // -----------------------------------------------------------------
    rule("imperva", kBlock, kAny, kShort, markup("/_incapsula_resource"), markup("edet=15")),
    rule("imperva", kBlock, kAny, kShort, markup("/_incapsula_resource"), markup("edet=16")),
    rule("imperva", kBlock, kAny, kShort, markup("/_incapsula_resource"), markup("edet=17")),
    rule("imperva", kChallenge, kAny, kShort, markup("/_incapsula_resource"), markup("edet=12")),
    // Any other number says that the site behind does not answer.
    harmless("imperva", kAny, markup("/_incapsula_resource"), markup("edet=")),
    rule("imperva", kChallenge, kSuccess, kShort, markup("/_incapsula_resource"),
         text("incapsula incident id")),
    rule("imperva", kBlock, kRefused, kShort, markup("/_incapsula_resource"),
         text("incapsula incident id")),
    rule("imperva", kBlock, kRefused, kShort, text("^request unsuccessful. incapsula incident id")),
    rule("imperva", kChallenge, kSuccess, kBare,
         text("^request unsuccessful. incapsula incident id")),
    rule("imperva", kChallenge, kSuccess, kBare, markup("/_incapsula_resource?swudnsai"),
         markup("<iframe")),
    rule("imperva", kBlock, kRefused, kBare, markup("/_incapsula_resource?cwudnsai"),
         markup("<iframe")),
    rule("imperva", kChallenge, kAny, 4, markup("/_incapsula_resource?"),
         markup("content=noindex,nofollow"), title("^(none)$")),
    rule("imperva", kBlock, kRefused, kPage, text("powered by imperva"), text("incident id"),
         text("security")),
    rule("imperva", kBlock, kRefused, kPage, text("powered by incapsula"), text("incident id"),
         text("access denied")),
    rule("imperva", kBlock, kRefused, kShort, markup("errorcode:15"), markup("incidentid:")),
    rule("imperva", kBlock, kRefused, kShort, markup("errorcode:16"), markup("incidentid:")),
    rule("imperva", kChallenge, kAny, kPage, title("^pardon our interruption"),
         text("made us think")),
    rule("imperva", kChallenge, kAny, kPage, title("^pardon our interruption"),
         text("as you were browsing")),
    rule("imperva", kChallenge, kAny, kShort, title("^pardon our interruption"),
         markup("onprotectioninitialized")),
    rule("imperva", kChallenge, kAny, kBare, markup("onprotectioninitialized"),
         markup("showblockpage")),
    rule("imperva", kChallenge, kAny, kBare, markup("reeseskipexpirationcheck"), markup("<script")),
    rule("imperva", kChallenge, kAny, kShort, markup("/distil_r_captcha"), markup("distil_")),
    rule("imperva", kChallenge, kRefused, kPage, markup("distilcaptchaform")),
    rule("imperva", kChallenge, kAny, kBare, markup("distil_identify_cookie"), markup("<script")),

    // --- HUMAN (PerimeterX)
    // --------------------------------------------------------------------------
    rule("human", kRateLimit, 429, kShort, markup("_pxappid"), markup("_pxaction=r")),
    rule("human", kRateLimit, 429, kShort, markup("_pxappid"), text("rate limited")),
    rule("human", kChallenge, kRefused, kPage, markup("_pxappid"), markup("px-captcha")),
    rule("human", kChallenge, kRefused, kPage, markup("_pxappid"), markup("captcha.px-c")),
    rule("human", kChallenge, kRefused, kPage, markup("_pxappid"), markup("captcha.js?a=c")),
    rule("human", kChallenge, kRefused, kPage, markup("_pxappid"), markup("_pxaction=c")),
    rule("human", kChallenge, kRefused, kPage, markup("_pxappid"), markup("_pxblockscript")),
    rule("human", kChallenge, kRefused, kPage, markup("id=px-captcha"),
         title("access to this page has been denied")),
    rule("human", kChallenge, kRefused, kPage, markup("captcha.px-c"), text("human")),
    rule("human", kChallenge, kRefused, kPage, markup("/captcha.js?a=c&"), markup("px-captcha")),
    rule("human", kChallenge, kAny, kPage, title("access to this page has been denied"),
         markup("px-captcha")),
    rule("human", kChallenge, kRefused, kPage, markup("appid:px"), markup("blockscript:")),
    rule("human", kChallenge, kRefused, kPage, markup("appid:px"), markup("jsclientsrc:")),
    rule("human", kBlock, kRefused, kPage, title("access to this page has been denied"),
         text("automation tools")),
    rule("human", kBlock, kRefused, kPage, markup("_pxappid"), markup("_pxaction=b")),
    rule("human", kBlock, kRefused, kPage, markup("_pxappid"), markup("_pxuuid"),
         title("has been denied")),
    rule("human", kBlock, kRefused, kPage, text("automation tools to browse the website"),
         markup("perimeterx.")),

    // --- Kasada, Vercel, Sucuri, DDoS-Guard
    // ------------------------------------------------------------
    rule("kasada", kChallenge, kRefused, kBare, markup("window.kpsdk"), markup("<script")),
    rule("kasada", kChallenge, kAny, 4, markup("window.kpsdk"), markup("ips.js"),
         title("^(none)$")),
    rule("kasada", kChallenge, kAny, 4, markup("kpsdk.start"), markup("ips.js"), title("^(none)$")),
    rule("vercel", kChallenge, kRefused, kPage, title("^vercel security checkpoint$")),
    rule("vercel", kChallenge, kRefused, kShort, header("x-vercel-challenge-token:")),
    rule("sucuri", kBlock, kRefused, kPage, text("sucuri website firewall"), text("access denied")),
    rule("sucuri", kBlock, kRefused, kPage, title("sucuri website firewall"), text("block id")),
    rule("sucuri", kBlock, kRefused, kPage, markup("sucuri-firewall-block.css")),
    rule("sucuri", kBlock, kRefused, kPage, title("sucuri website firewall"),
         text("access denied")),
    rule("sucuri", kChallenge, kAny, kShort, markup("sucuri_cloudproxy_js"), markup("<script")),
    rule("ddos-guard", kChallenge, kAny, kShort, markup("/.well-known/ddos-guard/js-challenge"),
         markup("<script")),
    rule("ddos-guard", kChallenge, kRefused, kShort, header("server: ddos-guard"),
         markup("/.well-known/ddos-guard/")),
    rule("ddos-guard", kChallenge, kRefused, kShort, markup("check.ddos-guard.net"),
         markup("<script")),
    rule("ddos-guard", kChallenge, kRefused, kShort, header("server: ddos-guard"),
         text("checking your browser")),
    rule("ddos-guard", kChallenge, kRefused, kShort, markup("ddg-l10n-"),
         text("checking your browser")),
    rule("ddos-guard", kChallenge, kRefused, kShort, title("^ddos-guard$"), markup("ddg-captcha")),
    rule("ddos-guard", kBlock, 403, kShort, title("^ddos-guard$"), text("blocked")),
    rule("ddos-guard", kBlock, 403, kShort, header("server: ddos-guard"), text("been blocked")),
    rule("ddos-guard", kBlock, 403, kShort, header("server: ddos-guard"), title("^ddos-guard$"),
         text("denied")),
    rule("ddos-guard", kRateLimit, 429, kShort, header("server: ddos-guard"), title("ddos-guard")),

    // --- F5, Reblaze, Wordfence, Queue-it, Qrator, Variti
    // ------------------------------------------------
    rule("f5", kBlock, kAny, kShort, text("^the requested url was rejected"), text("support id")),
    rule("f5", kBlock, kAny, kShort, title("^request rejected$"), text("support id")),
    rule("f5", kBlock, kRefused, kShort, text("the requested url was rejected"),
         text("support id")),
    rule("f5", kBlock, kAny, kShort, text("the requested url was rejected"),
         text("please consult with your administrator")),
    rule("f5", kChallenge, kAny, kShort, markup("/tspd/"),
         text("please enable javascript to view the page content")),
    rule("f5", kChallenge, kAny, kBare, markup("/tspd/"), markup("bobcmn")),
    rule("f5", kChallenge, kAny, kBare, markup("bobcmn"), markup("<script")),
    rule("f5", kChallenge, kAny, kBare, text("please enable javascript to view the page content"),
         text("support id is")),
    rule("reblaze", kChallenge, 247, kShort, cookie("rbzid")),
    rule("reblaze", kChallenge, 247, kShort, markup("rbzns")),
    rule("reblaze", kChallenge, kAny, kBare, markup("window.rbzns"), markup("<script")),
    rule("reblaze", kChallenge, kAny, kBare, markup("rbzreqid"), markup("<script")),
    rule("reblaze", kBlock, kRefused, kPage, text("current session has been terminated"),
         text("access denied")),
    rule("reblaze", kBlock, kRefused, kPage, text("protected by reblaze")),
    rule("reblaze", kBlock, kRefused, kPage, header("server: reblaze"), text("access denied")),
    rule("wordfence", kRateLimit, kRefused, kPage, text("generated by wordfence"),
         text("exceeded the maximum number of")),
    rule("wordfence", kRateLimit, 429, kPage, text("generated by wordfence")),
    rule("wordfence", kBlock, kRefused, kPage, text("generated by wordfence")),
    rule("wordfence", kBlock, kRefused, kPage, text("wordfence"),
         text("your access to this site has been limited")),
    rule("wordfence", kBlock, kRefused, kPage, text("wordfence"),
         text("your access to this service has been limited")),
    rule("wordfence", kBlock, kRefused, kPage, text("wordfence"),
         text("potentially unsafe operation")),
    rule("wordfence", kBlock, kRefused, kPage, text("broke one of the wordfence")),
    rule("queue-it", kRateLimit, kAny, kPage, markup("queue-it_log"), markup("queueid")),
    rule("queue-it", kRateLimit, kAny, kPage, title("queue-it"), markup("queue-it.net")),
    rule("queue-it", kRateLimit, kAny, kBare, markup("queue-it.net/?c="), markup("<script")),
    rule("queue-it", kRateLimit, kAny, kBare, markup("queue-it.net/?c="),
         markup("http-equiv=refresh")),
    rule("qrator", kChallenge, kAny, kShort, markup("/__qrator/"), markup("<script")),
    rule("qrator", kChallenge, kAny, kShort, markup("qauth_utm"), markup("<script")),
    rule("qrator", kChallenge, 401, kShort, header("server: qrator"), markup("<script")),
    rule("qrator", kBlock, 403, kShort, header("server: qrator"), text("qrator")),
    rule("qrator", kBlock, 403, kShort, header("server: qrator"), text("request id")),
    rule("qrator", kBlock, 403, kShort, header("server: qrator"), text("access is forbidden")),
    rule("qrator", kBlock, 403, kShort, header("server: qrator"), text("blocked")),
    rule("variti", kChallenge, kRefused, kShort, header("server: variti"), markup("<script")),
    rule("variti", kChallenge, kSuccess, 4, cookie("ipp_"), markup("<script"), title("^(none)$")),
    rule("variti", kBlock, 403, kShort, header("server: variti"), text("blocked")),
    rule("variti", kBlock, 403, kShort, header("server: variti"), text("access denied")),

    // --- Anubis and its like
    // -------------------------------------------------------------------------
    rule("anubis", kBlock, kAny, kPage, markup("/.within.website/x/cmd/anubis"),
         text("access denied: error code")),
    rule("anubis", kBlock, kAny, kPage, markup("/.within.website/x/cmd/anubis"),
         title("^oh noes!$")),
    rule("anubis", kChallenge, kAny, kPage, markup("/.within.website/x/cmd/anubis"),
         markup("id=anubis_")),
    rule("anubis", kChallenge, kAny, kPage, markup("id=anubis_challenge"),
         markup("id=anubis_version")),
    rule("anubis", kChallenge, kAny, kPage, markup("/.within.website/x/cmd/anubis"),
         title("making sure you're not a bot")),
    rule("anubis", kChallenge, kAny, kPage, markup("/.within.website/x/cmd/anubis"),
         text("protected by anubis")),
    rule("anubis", kChallenge, kAny, kPage,
         markup("/.within.website/x/cmd/anubis/api/pass-challenge")),
    rule("anubis", kChallenge, kAny, kBare, markup("/.within.website/"),
         markup("http-equiv=refresh")),
    rule("anubis", kChallenge, kAny, kPage, title("making sure you're not a bot"),
         cookie("techaro.lol-anubis")),
    rule("go-away", kChallenge, kAny, kPage, markup("/go-away/cmd/go-away/"), markup("challenge")),
    rule("basedflare", kChallenge, kRefused, kPage, markup("/.basedflare/"), markup("<script")),

    // --- Hosting and edge networks
    // -----------------------------------------------------------------------
    rule("fastly", kChallenge, kAny, kShort, markup("/_fs-ch-"), markup("<script")),
    rule("fastly", kChallenge, kAny, kShort, cookie("_fs_ch_"), title("^client challenge$")),
    rule("siteground", kChallenge, kAny, kShort, markup("/.well-known/sgcaptcha/"),
         markup("http-equiv=refresh")),
    rule("siteground", kChallenge, kAny, kShort, markup("/.well-known/captcha/"),
         title("robot challenge screen")),
    rule("hostinger", kChallenge, kAny, kShort, markup("/hcdn-cgi/"), markup("challenge")),
    rule("bunny", kChallenge, kAny, kShort, markup("/.bunny-shield/"), markup("challenge")),
    rule("litespeed", kChallenge, kAny, kShort, markup("/.lsrecap/"), markup("captcha")),
    rule("imunify360", kBlock, kAny, kShort, text("access denied by imunify360")),
    rule("imunify360", kChallenge, kAny, kShort, markup("wsidchk"), title("one moment, please")),
    rule("imunify360", kChallenge, kAny, kShort, text("protected by imunify360"),
         markup("captcha")),
    rule("bitninja", kChallenge, kAny, kPage, text("security check by bitninja")),
    rule("bitninja", kChallenge, kRefused, kPage, title("visitor anti-robot validation")),
    rule("stackpath", kBlock, kRefused, kPage,
         text("security service for protection against online attacks"),
         text("blocked your request")),
    rule("stackpath", kChallenge, kAny, kBare, markup("sbtsck"), markup("<script")),
    rule("azure-waf", kBlock, 403, kShort, header("x-azure-ref:"), text("the request is blocked")),
    rule("azure-waf", kChallenge, kRefused, kShort, header("x-azure-ref:"), title("^azure waf")),
    rule("greywizard", kBlock, kRefused, kPage, header("server: greywizard"), text("grey wizard")),
    rule("arvancloud", kChallenge, kAny, kBare, header("server: arvancloud"), markup("__arcsjs")),
    rule("arvancloud", kChallenge, kAny, kShort, header("server: arvancloud"),
         title("transferring to the website")),
    rule("safeline", kChallenge, 468, kAnyText, WallMark{}),
    rule("safeline", kBlock, kRefused, kShort, text("blocked by chaitin safeline")),
    rule("safeline", kChallenge, kAny, kShort, markup("/.safeline/"), markup("challenge")),

    // --- Radware, Alibaba, Tencent, Huawei, Baidu, Jiasule
    // -------------------------------------------------
    rule("radware", kChallenge, kAny, kPage, title("^radware bot manager captcha")),
    rule("radware", kChallenge, kAny, kShort, title("^shieldsquare captcha")),
    rule("radware", kChallenge, kAny, kPage, markup(".perfdrive.com"),
         text("activity and behavior on this site made us think")),
    rule("radware", kBlock, kAny, kPage, title("^shieldsquare block")),
    rule("radware", kBlock, kRefused, kPage, title("^unauthorized request blocked"),
         text("unauthorized activity")),
    rule("alibaba", kChallenge, kAny, kShort, markup("x5secdata"), markup("<script")),
    rule("alibaba", kChallenge, kAny, kShort, markup("/_____tmd_____/punish")),
    rule("alibaba", kChallenge, kAny, 4, markup("acw_sc__v2"), markup("arg1=")),
    rule("alibaba", kBlock, 405, kPage, markup("errors.aliyun.com")),
    rule("alibaba", kBlock, 405, kPage, text("may cause potential threats to the server")),
    rule("tencent", kChallenge, kRefused, kShort, markup("turing.captcha"), markup("<script")),
    rule("tencent", kBlock, kAny, kShort, markup("waf.tencent-cloud.com/")),
    rule("tencent", kBlock, kAny, kShort, markup("waf.tencentcloud.com/")),
    rule("huawei", kBlock, 418, kPage, cookie("hwwafses")),
    rule("huawei", kBlock, kRefused, kPage, header("server: huaweicloudwaf")),
    rule("baidu", kChallenge, kAny, kShort, markup("wappass.baidu.com/static/captcha")),
    rule("jiasule", kChallenge, 521, kBare, markup("__jsl_clearance")),
    rule("jiasule", kChallenge, 521, kBare, cookie("__jsluid"), markup("document.cookie")),

    // --- Sites of their own kind
    // -----------------------------------------------------------------------------
    rule("google", kChallenge, kRefused, kPage,
         text("detected unusual traffic from your computer network")),
    rule("google", kChallenge, kRefused, kPage, markup("google.com/sorry/"), markup("captcha")),
    rule("yandex", kChallenge, kAny, kPage, markup("checkboxcaptcha"), markup("/checkcaptcha")),
    rule("reddit", kBlock, kRefused, kPage, text("blocked by network security")),
    rule("weibo", kChallenge, kAny, kShort, title("^sina visitor system")),

    // --- Plug-ins and other firewalls
    // ------------------------------------------------------------------------
    rule("fortinet", kBlock, kAny, kPage, markup("fgd_icon"), text("blocked")),
    rule("fortinet", kBlock, kRefused, kPage, text("web application firewall"), text("attack id"),
         markup("fortinet.net")),
    rule("modsecurity", kBlock, kRefused, kPage, text("error was generated by mod_security")),
    rule("barracuda", kBlock, kRefused, kPage, text("barracuda networks"), text("blocked")),
    rule("malcare", kBlock, kRefused, kPage, text("firewall"), text("powered by malcare")),
    rule("malcare", kBlock, kRefused, kPage, text("blocked because of malicious activities")),
    rule("shield-security", kBlock, kRefused, kPage, text("you were blocked by the shield")),
    rule("patchstack", kBlock, kRefused, kPage, text("webarx web application firewall")),
    rule("patchstack", kBlock, kRefused, kPage, text("blocked by patchstack")),
    rule("ninjafirewall", kBlock, kRefused, kPage, title("ninjafirewall"), text("blocked")),
    rule("siteguard", kBlock, kRefused, kPage, text("powered by siteguard"), text("refuse")),
    rule("virusdie", kBlock, kRefused, kPage, markup("cdn.virusdie.ru/splash/")),

    // --- A puzzle of somebody's in place of a page: nothing else is on it
    // ------------------------------------
    // A form to log in with has its puzzle by right.
    harmless("", kAny, markup("type=password")),
    rule("arkose", kChallenge, kRefused, kShort, markup("arkoselabs.com/"), markup("<script")),
    rule("hcaptcha", kChallenge, kRefused, kShort, markup("hcaptcha.com/"), text("robot")),
    rule("hcaptcha", kChallenge, kRefused, kShort, markup("hcaptcha.com/"), text("human")),
    rule("turnstile", kChallenge, kRefused, kShort, markup("challenges.cloudflare.com/turnstile"),
         text("human")),
    rule("turnstile", kChallenge, kRefused, kShort, markup("challenges.cloudflare.com/turnstile"),
         text("robot")),
    rule("recaptcha", kChallenge, kRefused, kShort, markup("g-recaptcha"), text("robot")),
    rule("recaptcha", kChallenge, kRefused, kShort, markup("g-recaptcha"), text("human")),
    rule("recaptcha", kChallenge, kRefused, kShort, markup("g-recaptcha"), text("unusual")),
    rule("friendly-captcha", kChallenge, kRefused, kShort, markup("frc-captcha"), text("robot")),
    rule("friendly-captcha", kChallenge, kRefused, kShort, markup("frc-captcha"), text("human")),
    rule("geetest", kChallenge, kRefused, kShort, markup("initgeetest"), markup("geetest.com/")),
});

}  // namespace

std::span<const WallRule> wall_rules() { return kRules; }

}  // namespace periplus
