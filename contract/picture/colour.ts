import { Type } from 'typebox'

/** Colours of the theme, so that a picture fits light, dark and high contrast. Anything else is `#rrggbb`. */
export const tokens = ['text', 'soft', 'faint', 'line', 'surface', 'sunk', 'page', 'action', 'warning', 'alarm', 'fluid'] as const
export type Token = (typeof tokens)[number]
export const Colour = Type.String({ maxLength: 10, pattern: `^(none|${tokens.join('|')}|#[0-9a-fA-F]{6})$` })
