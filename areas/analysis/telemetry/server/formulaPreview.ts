import type { Language } from '../../../../contract/languages.ts'
import { failedQuality } from '../../../../server/telemetry/meaning/formula.ts'
import { drafted, judge } from '../../formulas/server/service.ts'
import type { Reader } from './analysis.ts'
import { describedPoints } from './service.ts'

type Asked = { ProjectId: number; Expression: string; Id?: number; Hours?: number }
/** Values of a preview. */
const drawn = 500
const hourMs = 3_600_000

/** What an expression names and comes to, or what is wrong with it. */
export const previewFormula = async ({ db, actor, telemetry }: Reader, language: Language, { Hours = 24, ...asked }: Asked) => {
  const { flaw, named } = await judge(db, actor, asked)
  if (flaw) return { Flaw: flaw, Points: [], Time: [], Value: [], Failed: 0 }
  const formula = await drafted(db, actor, named)
  const now = telemetry.clock()
  const [found] = await telemetry.withFormulas(new Map([[formula.id, formula]])).columns([formula.id], now - Hours * hourMs, now)
  const { time = [], value = [], quality = [] } = found ?? {}
  const every = Math.max(1, Math.ceil(time.length / drawn))
  const shown = time.flatMap((_, i) => (i % every ? [] : [i]))
  return {
    ...{ Flaw: null, Points: await describedPoints(db, actor, language, [...named.PointIds, ...named.FormulaIds]) },
    ...{ Time: shown.map((i) => time[i]!), Value: shown.map((i) => value[i]!) },
    Failed: quality.filter((one) => one === failedQuality).length,
  }
}
