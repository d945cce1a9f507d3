import { Type } from 'typebox'

/** Colours of the theme, so that a picture fits light, dark and high contrast. Anything else is `#rrggbb`. */
export const tokens = ['text', 'soft', 'faint', 'line', 'surface', 'sunk', 'page', 'action', 'warning', 'alarm', 'fluid'] as const
export type Token = (typeof tokens)[number]
const known = `none|${tokens.join('|')}|#[0-9a-fA-F]{6}`
export const Colour = Type.String({ maxLength: 10, pattern: `^(${known})$` })
/** Or the name of a parameter in braces. */
export const GivenColour = Type.String({ maxLength: 52, pattern: `^(${known}|\\{[^{}.#]{1,50}\\})$` })
