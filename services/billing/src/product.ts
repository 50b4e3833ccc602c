/** Product and company details for pages and emails. */
export interface Product {
  name: string;
  supportEmail: string;
  companyName: string;
  termsEffectiveDate: string;
  refundPolicy: string;
  /** Countries whose phone numbers can sign up, as ISO 3166 codes. */
  countries: readonly string[];
  /** Without a trailing slash. */
  publicUrl: string;
}
