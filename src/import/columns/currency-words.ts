// The words and signs of currencies that may stand beside a number.

/** The codes of ISO 4217. */
const codes =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE ' +
  'CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES ' +
  'KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD ' +
  'OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY ' +
  'TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL';

/** Words and signs that belong to one currency, and `kr`, which several countries write. */
const words: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  euro: 'EUR',
  r$: 'BRL',
  us$: 'USD',
  a$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  mx$: 'MXN',
  nt$: 'TWD',
  kr: 'kr',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  fr: 'CHF',
  sfr: 'CHF',
  лв: 'BGN',
  руб: 'RUB',
  грн: 'UAH',
  lei: 'RON',
  tl: 'TRY',
  rs: 'Rs',
  rp: 'IDR',
  rm: 'MYR',
  元: 'CNY',
  円: 'JPY',
};

/** The currency that a word beside a number means: an ISO code, a currency sign or a word of the table. Undefined for other words. */
export function currencyOf(word: string): string | undefined {
  if (/^[A-Z]{3}$/.test(word)) return codes.includes(word) ? word : undefined;
  return words[word.replace(/\.$/, '').toLowerCase()] ?? (/^\p{Sc}$/u.test(word) ? word : undefined);
}
