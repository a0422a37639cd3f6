"""Sentences in many languages, and the encodings that files in them are published in."""

from __future__ import annotations

SENTENCES = {
    "de": "Die Größe der Küche wurde für fünf Gäste geprüft; die Straße führt über die Brücke",
    "fr": "L’élève a trouvé un hôtel près de la forêt; où est passée la leçon de français",
    "es": "La niña compró un paraguas en la estación; mañana lloverá también en el jardín",
    "pt": "A criança não dançou no salão; amanhã haverá reuniões sobre a educação e a saúde",
    "it": "La città è più bella perché c’è il sole; però lunedì l’università è chiusa",
    "sv": "Många människor åker båt på sjön; två barn äter smörgås och dricker öl hemma",
    "pl": "Źródło światła znajduje się koło łóżka; chłopiec wziął żółtą książkę i poszedł",
    "cs": "Každý žák má říct, proč přišel pozdě; můj přítel bydlí v pěkném městě na řece",
    "hu": "A kislány őszi esőben sétált; a tűz mellett ülő öregember szép történetet mesélt",
    "tr": "Çocuk güneşli günlerde dışarı çıkıyor; İstanbul’un ışıkları gece boyunca sönmüyor",
    "lt": "Žmogus išėjo į mišką grybų; šiąnakt bus šalčiau, todėl pasiimk šiltą megztinį",
    "ro": "Copiii se joacă în curte şi bunica le citeşte o poveste lungă; mâine va fi ţărm însorit",
    "ca": "El gènere de la població; avui fa bon temps però demà plourà i això és més habitual",
    "is": "Börnin leika sér í garðinum og amma les fyrir þau langa sögu; það er gott veður í dag",
    "sq": "Sot koha është e mirë; fëmijët luajnë në kopsht dhe gjyshja u lexon një përrallë",
    "ru": "Сегодня хорошая погода; дети играют во дворе, а бабушка читает им сказку",
    "uk": "Сьогодні гарна погода; діти грають на подвір’ї, їхня бабуся читає їм казку",
    "el": "Σήμερα ο καιρός είναι καλός; τα παιδιά παίζουν στην αυλή και η γιαγιά διαβάζει",
    "he": "היום מזג האוויר נעים; הילדים משחקים בחצר וסבתא קוראת להם סיפור ארוך",
    "ar": "الطقس جميل اليوم; الأطفال يلعبون في الحديقة والجدة تقرأ لهم قصة طويلة",
    "th": "วันนี้อากาศดีมาก; เด็กกำลังเล่นอยู่ในสนาม และคุณยายอ่านนิทานให้ฟัง",
    "vi": "Hôm nay trời đẹp; trẻ em chơi ngoài sân và bà đọc truyện cho các cháu nghe",
    "ja": "今日は天気がいいです; 子どもたちは公園で遊び、祖母は本を読んでいます",
    "zh": "今天天气很好; 孩子们在公园里玩，奶奶给他们讲一个很长的故事",
    "zh-tw": "今天天氣很好; 孩子們在公園裡玩，奶奶給他們講一個很長的故事",
    "ko": "오늘은 날씨가 좋습니다; 아이들은 마당에서 놀고 할머니는 책을 읽습니다",
}
ENCODINGS = {
    "de": ("cp1252", "mac-roman", "cp850", "latin-1"),
    "fr": ("cp1252", "mac-roman"),
    "es": ("cp1252", "cp850"),
    "pt": ("cp1252", "cp850"),
    "it": ("cp1252",),
    "sv": ("cp1252", "cp850"),
    "pl": ("cp1250", "iso8859-2", "cp852"),
    "cs": ("cp1250", "iso8859-2", "cp852"),
    "hu": ("cp1250",),
    "tr": ("cp1254",),
    "lt": ("cp1257",),
    "ro": ("cp1250",),
    "ca": ("cp1252",),
    "is": ("cp1252",),
    "sq": ("cp1252",),
    "ru": ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic"),
    "uk": ("cp1251", "koi8-u"),
    "el": ("cp1253",),
    "he": ("cp1255",),
    "ar": ("cp1256", "iso8859-6"),
    "th": ("cp874",),
    "vi": ("cp1258",),
    "ja": ("shift_jis", "euc_jp", "iso2022_jp"),
    "zh": ("gb18030", "gb2312"),
    "zh-tw": ("big5",),
    "ko": ("cp949", "euc_kr"),
}
PAIRS = [(code, encoding) for code, own in ENCODINGS.items() for encoding in own]


def legacy_bytes(text: str, encoding: str) -> bytes:
    """Return a text in a legacy encoding; Vietnamese with its tones as marks of their own."""
    if encoding == "cp1258":
        tones = {"\u0300", "\u0301", "\u0303", "\u0309", "\u0323"}
        text = "".join(_tone_last(letter, tones) for letter in text)
    return text.encode(encoding)


def _tone_last(letter: str, tones: set[str]) -> str:
    import unicodedata

    parts = unicodedata.normalize("NFD", letter)
    base = unicodedata.normalize("NFC", "".join(c for c in parts if c not in tones))
    return base + "".join(c for c in parts if c in tones)
