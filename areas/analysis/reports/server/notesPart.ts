import { word } from '../../../../server/http/words.ts'
import { readOverlay } from '../../notes/server/service.ts'
import type { Part } from '../blocks.ts'
import type { Making } from './making.ts'

/** Notes that people made about the report's points within its period. */
export const notesPart = async (making: Making, Title: string): Promise<Part> => {
  const { db, actor, language, span, points } = making
  // Notes are about stored points; formulas are of no device.
  const ParaIds = points.filter((p) => p.DeviceId > 0).map((p) => p.ParaId)
  const asked = { ParaIds, Start: span.start, End: span.end, Kinds: ['note' as const] }
  const { Items, TotalCount } = ParaIds.length ? await readOverlay(db, actor, asked) : { Items: [], TotalCount: 0 }
  const text = (key: string) => ({ Title: word(language, key), Is: 'text' as const })
  return {
    ...{ Is: 'table', Title, More: Math.max(0, TotalCount - Items.length) },
    Columns: [{ Title: word(language, 'explore.time'), Is: 'time' }, text('point'), text('chartNote.Text'), text('chartNote.UserId')],
    Rows: Items.map((item) => [item.Time, item.Name, item.Text, item.UserName]),
  }
}
