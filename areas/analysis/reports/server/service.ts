import { Compile } from 'typebox/compile'
import { taskKind } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { fileStem, type Prepared, type TaskKind } from '../../../system/exports/server/service.ts'
import { ReportAsk, readyReports, reportCalls } from '../contract.ts'
import { buildReport, prepareReport, type Reader } from './build.ts'
import { renderReport, warmRenderer } from './render/render.ts'

/** `font`: a file with Chinese and Japanese characters, instead of the one that distributions bring. */
type Needs = Reader & { font?: string | undefined }

const isAsk = Compile(ReportAsk)

export { amongAbout, pointsAbout } from './about.ts'
export { type AreaBlocks, type AreaMaking, buildReport, inEachProject, prepareReport, type Reader, wholeFigures } from './build.ts'
export { lastWhole } from './periods.ts'
export { pointsInPictures } from './picturePart.ts'
export { renderReport, warmRenderer } from './render/render.ts'
export { withAbout } from './templates.ts'

/** Reports as files, made in the background. */
export const reportKind = ({ font, ...reader }: Needs): TaskKind => {
  const prepare = async (actor: Actor, ask: object, { time }: { language: Language; time: number }): Promise<Prepared> => {
    if (!isAsk.Check(ask)) throw new Fault('invalid')
    const { making } = await prepareReport(reader, actor, ask)
    const devices = [...new Set(making.points.map((p) => p.DeviceName))]
    const title = word(ask.Language, `report.ready.${ask.Report}`)
    const content = { Title: title, Blocks: readyReports[ask.Report], Paper: ask.Paper ?? ('auto' as const) }
    return {
      ...{ resource: 'report', permission: reportCalls.start.permission, format: ask.Format, filters: ask },
      fileName: `${fileStem(title, devices.length === 1 ? devices : [], time, actor.zone ?? actor.tenantZone)}.${ask.Format}`,
      write: async (path, { signal, report }) => {
        const progress = (share: number) => report(0, null, share)
        warmRenderer()
        const document = await buildReport(await prepareReport(reader, actor, ask), content, { signal, progress })
        const { sha256 } = await renderReport({ document, format: ask.Format, language: ask.Language, path, font }, signal)
        signal.throwIfAborted()
        // Its rows are those of its tables.
        return { rows: document.Parts.reduce((sum, part) => sum + (part.Is === 'table' ? part.Rows.length : 0), 0), sha256 }
      },
    }
  }
  return { kind: taskKind.report, permission: reportCalls.start.permission, prepare }
}
