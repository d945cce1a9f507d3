/**
 * Normalizes a card number to its stored form: 8, 10 or 14 hex digits in capitals. Exactly ten decimal digits are the number printed on an
 * EM4100 card. Readers may separate digits with colons, hyphens or spaces. Returns undefined for any other input.
 */
export const normalCardNo = (given: string): string | undefined => {
  const text = given.replace(/[\s:.-]/g, '').toUpperCase()
  if (/^\d{10}$/.test(text)) {
    const number = Number(text)
    return number <= 0xffff_ffff ? number.toString(16).toUpperCase().padStart(8, '0') : undefined
  }
  return /^([0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14})$/.test(text) ? text : undefined
}
