//! Why a document is left to the Python parser: the only way in which reading can fail.

macro_rules! declines {
    ($($(#[$doc:meta])* $name:ident = $reason:literal,)*) => {
        /// Why a document is declined.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Decline {
            $($(#[$doc])* $name,)*
        }

        impl Decline {
            /// The reason as Python counts it.
            #[must_use]
            pub fn reason(self) -> &'static str {
                match self {
                    $(Self::$name => $reason,)*
                }
            }
        }

        /// Every reason there is.
        pub const REASONS: &[&str] = &[$($reason),*];
    };
}

declines! {
    /// The caller does not want the result any more.
    Stopped = "stopped",
    /// The reader itself failed.
    Panic = "panic",
    /// A piece of the body cannot be had.
    Unreadable = "unreadable",
    /// The document is larger than a limit, or lists more sitemaps.
    TooLarge = "too-large",
    /// The compression is damaged, cut off, of another kind, too deep, or followed by something.
    Compression = "compression",
    /// It inflates like a bomb, or nearly.
    Ratio = "ratio",
    /// The charset is not UTF-8, or not certainly.
    Charset = "charset",
    /// The bytes are not UTF-8, or hold characters that XML forbids.
    Characters = "characters",
    /// The XML declaration is not the first thing, or not plain.
    Declaration = "declaration",
    /// There is a DOCTYPE.
    Doctype = "doctype",
    /// A processing instruction that is not plain, or within a value.
    Instruction = "instruction",
    /// A comment that holds markup, or stands within a value.
    Comment = "comment",
    /// No markup at all, or a root of another kind.
    Root = "root",
    /// A namespace is missing, or not exactly the one defined.
    Namespace = "namespace",
    /// Attributes that are not well-formed, or not expected.
    Attributes = "attributes",
    /// Markup that is not well-formed.
    Syntax = "syntax",
    /// Text stands where none should be.
    StrayText = "stray-text",
    /// An element that is unknown, or not in its place.
    Element = "element",
    /// A reference to no character of XML.
    Reference = "reference",
    /// A CDATA section that holds references or another section, or stands between elements.
    Cdata = "cdata",
    /// A value holds elements.
    MarkupInValue = "markup-in-value",
    /// A field is written twice.
    RepeatedField = "repeated-field",
    /// An entry has no URL.
    MissingLoc = "missing-loc",
    /// A URL does not begin with http:// or https://.
    Url = "url",
    /// A URL is listed twice.
    DuplicateUrl = "duplicate-url",
    /// An image without a URL, or an alternate without language or URL.
    IncompletePart = "incomplete-part",
    /// A page has more images, videos or alternates than are kept.
    TooManyParts = "too-many-parts",
    /// An entry is longer than the window.
    LongEntry = "long-entry",
    /// The root does not end, or something follows it.
    End = "end",
}
