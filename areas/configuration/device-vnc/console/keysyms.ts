// Keysyms of the X Window System, which RFB uses for keys (RFC 6143, 7.5.4).

/** Keys that a phone's keyboard lacks, by the text of their buttons. */
export const extraKeys = {
  Esc: { keysym: 0xff1b, code: 'Escape' },
  Tab: { keysym: 0xff09, code: 'Tab' },
  '⌫': { keysym: 0xff08, code: 'Backspace' },
  '↵': { keysym: 0xff0d, code: 'Enter' },
  '←': { keysym: 0xff51, code: 'ArrowLeft' },
  '↑': { keysym: 0xff52, code: 'ArrowUp' },
  '→': { keysym: 0xff53, code: 'ArrowRight' },
  '↓': { keysym: 0xff54, code: 'ArrowDown' },
} as const

/** Latin-1 characters are their own keysyms; all others are their code point plus 0x01000000. */
export const keysymOf = (character: string) => {
  const code = character.codePointAt(0)!
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) ? code : 0x01000000 + code
}
