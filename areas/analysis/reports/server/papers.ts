import type { Paper, PaperChoice } from '../blocks.ts'

/** Where paper is measured in inches (CLDR, US-Letter). */
const letterRegions = ['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE']
/** A zone has several names. */
const canonical = (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
const letterZones = new Set(letterRegions.flatMap((region) => new Intl.Locale(`und-${region}`).getTimeZones() ?? []).map(canonical))

/** Columns of points that a table has room for. */
export const columnsOn = (paper: Paper, isLandscape: boolean) => (paper === 'A5' && !isLandscape ? 4 : 8)

/** The paper that is chosen, or what is usual in a zone. */
export const paperOf = (chosen: PaperChoice, zone: string): Paper =>
  chosen === 'auto' ? (letterZones.has(canonical(zone)) ? 'Letter' : 'A4') : chosen
