//! What may stand in an entry, as tables; the order of the leaves is that of the rows of `usp.rows`.

/// An element with leaves.
pub struct Section {
    pub name: &'static str,
    pub leaves: &'static [&'static str],
    /// Leaves that are documented and not kept.
    pub ignored: &'static [&'static str],
}

pub const URL: Section = Section { name: "url", leaves: &["loc", "lastmod", "changefreq", "priority"], ignored: &[] };

pub const SITEMAP: Section = Section { name: "sitemap", leaves: &["loc", "lastmod"], ignored: &[] };

pub const IMAGE: Section = Section {
    name: "image:image",
    leaves: &["image:loc", "image:caption", "image:geo_location", "image:title", "image:license"],
    ignored: &[],
};

pub const NEWS: Section = Section {
    name: "news:news",
    leaves: &[
        "news:title",
        "news:publication_date",
        "news:name",
        "news:language",
        "news:access",
        "news:genres",
        "news:keywords",
        "news:stock_tickers",
    ],
    ignored: &["news:geo_locations"],
};

/// Only wraps leaves of `NEWS`.
pub const PUBLICATION: &str = "news:publication";

pub const VIDEO: Section = Section {
    name: "video:video",
    leaves: &[
        "video:thumbnail_loc",
        "video:title",
        "video:description",
        "video:content_loc",
        "video:player_loc",
        "video:duration",
        "video:expiration_date",
        "video:rating",
        "video:view_count",
        "video:publication_date",
        "video:family_friendly",
        "video:restriction",
        "video:platform",
        "video:requires_subscription",
        "video:uploader",
        "video:live",
        "video:category",
        "video:gallery_loc",
    ],
    ignored: &["video:id", "video:content_segment_loc"],
};

/// Leaves of `VIDEO` of which an attribute is kept, which follows them in the row.
pub const WITH_ATTRIBUTE: &[(&str, &str)] =
    &[("video:restriction", "relationship"), ("video:platform", "relationship"), ("video:uploader", "info")];

pub const TAG: &str = "video:tag";
pub const PRICE: &str = "video:price";

/// The attributes of `PRICE`, in the order of its row.
pub const OF_PRICE: &[&str] = &["currency", "type", "resolution"];

/// Attributes that are documented and not kept.
pub const IGNORED_ATTRIBUTES: &[&str] = &["allow_embed", "autoplay", "title"];

pub const LINK: &str = "xhtml:link";
pub const MOBILE: &str = "mobile:mobile";

/// What the Programmable Search of a site wants to know of a page, and what stands in it.
pub const PAGE_MAP: &str = "PageMap";
pub const IN_PAGE_MAP: &[&str] = &["DataObject", "Attribute"];
pub const OF_PAGE_MAP: &[&str] = &["type", "id", "name", "value"];

pub mod namespaces {
    pub const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
    pub const NEWS: &str = "http://www.google.com/schemas/sitemap-news/0.9";
    pub const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
    pub const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";
    pub const XHTML: &str = "http://www.w3.org/1999/xhtml";
    pub const MOBILE: &str = "http://www.google.com/schemas/sitemap-mobile/1.0";
    pub const PAGE_MAP: &str = "http://www.google.com/schemas/sitemap-pagemap/1.0";
}
