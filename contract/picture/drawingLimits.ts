// What a drawing of a symbol may have. Without schemas: the worker that reads SVG files loads this.
import type { Side as PortSide, Role } from './symbol.ts'

export const mostParts = 200
export const mostPorts = 40
/** Characters of all paths of a symbol together. */
export const mostPathText = 32_000
/** The same of all symbols of a scene. */
export const mostPathTextOfScene = 300_000
/** Own symbols of a scene. */
export const mostOwnSymbols = 100
/** Units of the longer side. */
export const longestSide = 1000

export const roles = ['body', 'line', 'fine', 'solid', 'run', 'open', 'shut', 'rotor', 'level'] as const satisfies readonly Role[]
export const sides = ['left', 'right', 'top', 'bottom'] as const satisfies readonly PortSide[]
