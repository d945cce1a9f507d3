/**
 * The number of a card as it is stored: 8, 10 or 14 hex digits in capitals. Exactly ten decimal digits are what is printed on an EM4100
 * card. Readers separate digits by colons, hyphens or spaces. Undefined for anything else.
 */
export const normalCardNo = (given: string): string | undefined => {
  const text = given.replace(/[\s:.-]/g, '').toUpperCase()
  if (/^\d{10}$/.test(text)) {
    const number = Number(text)
    return number <= 0xffff_ffff ? number.toString(16).toUpperCase().padStart(8, '0') : undefined
  }
  return /^([0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14})$/.test(text) ? text : undefined
}
