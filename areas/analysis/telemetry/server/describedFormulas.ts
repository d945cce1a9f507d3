import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { and, visible } from '../../../../server/resource/sql.ts'
import { formulaPoint } from '../../formulas/contract.ts'

type Row = { Id: number; FormulaName: string; ProjectName: string; ParaUnitName: string | null; DecimalDigits: number; CalDataType: number }
type Wanted = { pointIds?: readonly number[]; projectId?: number; words?: readonly string[]; most?: number }
/** Formulas that a chooser shows. */
const mostShown = 50
/** How often their steps are in a chart of some hours. */
const usualStepMs = 60_000

/** Formula points as charts and choosers know points: of a project instead of a device. */
export const describedFormulas = async (
  db: Db,
  actor: Actor,
  language: Language,
  { pointIds, projectId, words = [], most = mostShown }: Wanted,
) => {
  const rows = await db.rows<Row>(sql`
    select t."Id", t."FormulaName", p."ProjectName", t."ParaUnitName", t."DecimalDigits", t."CalDataType"
    from formula_point t join project p on p."Id" = t."ProjectId"
    where ${visible(formulaPoint, actor)} and ${pointIds ? sql`t."Id" = any(${pointIds}::bigint[])` : sql`true`}
      and ${projectId ? sql`t."ProjectId" = ${projectId}` : sql`true`}
      and ${words.length ? and(words.map((text) => sql`position(${text} in lower(p."ProjectName" || ' ' || t."FormulaName")) > 0`)) : sql`true`}
    order by t."FormulaName", t."Id" limit ${pointIds ? pointIds.length : most}`)
  const kind = word(language, 'formulaPoint')
  return rows.map(
    (row): ParaInfo => ({
      ...{ ParaId: row.Id, ParaName: row.FormulaName, ParaUnitName: row.ParaUnitName ?? '', ParaDataTypeName: kind },
      ...{ AxisMin: null, AxisMax: null, AlarmLow: null, AlarmHigh: null, ZeroText: '', OneText: '' },
      ...{ IsChartShow: 1, DecimalDigits: row.DecimalDigits, ReadWriteType: 0, CalDataType: row.CalDataType, ExpectedMs: usualStepMs },
      ...{ DeviceId: 0, DeviceName: `${kind} · ${row.ProjectName}`, DeviceStatus: 1 },
    }),
  )
}
