// Demo company: reports created, checked and approved by demo users at past times.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import type { CheckAsk, PhaseAsk } from '../contract.ts'
import { reportDeeds } from './acts.ts'
import type { Reads } from './gather.ts'
import { generateCheck, generatePhase, saveCriteria } from './generate.ts'
import { ownReports } from './own.ts'
import { computeReport } from './worker.ts'

export type PastNeeds = Reads & { store: FileStore; font: string | undefined }
export type Step = { UserId: number; at: number }
type Of = { EnterpriseId: number; language: Language }
type Mapped = Of & { asked: Omit<CheckAsk, 'CriteriaId'>; criteria: Record<string, unknown> & { at: number }; author: Step } & {
  /** Absent if nobody in the company has the permission. */
  checker: Step | undefined
  approver: Step | undefined
}

const personOf = ({ EnterpriseId, language }: Of, { UserId }: Step): Actor => ({ ...serverActor(EnterpriseId), UserId, language })
const begins = (at: number) => ({ clock: () => at, usage: async () => ({ Used: 0, Quota: 1 }) })
const madeAt = (db: Db, { Id }: { Id: number }, at: number) =>
  db.rows(sql`update cold_report set "CreateTime" = ${new Date(at)} where "Id" = ${Id}`)

/** A mapping report with criteria that were set before it, computed, checked and approved by three people. */
export const pastMapping = async (db: Db, needs: PastNeeds, of: Mapped) => {
  const { EnterpriseId, asked, author, checker, approver, language } = of
  const { at, ...limits } = of.criteria
  const { Id: CriteriaId } = await saveCriteria(db, personOf(of, author), { ColdStorageId: asked.ColdStorageId, ...limits }, at)
  const made = await generateCheck(db, personOf(of, author), { ...asked, CriteriaId }, false, language, begins(author.at))
  await computeReport(db, db, { ...needs, clock: () => author.at }, { Id: made.Id, EnterpriseId })
  await madeAt(db, made, author.at)
  if (!checker) return
  const at1 = reportDeeds({ ...needs, system: db, clock: () => checker.at })
  const report = await ownReports.find(db, personOf(of, checker), made.Id)
  await at1.check(db, personOf(of, checker), report, report.RecordSha256)
  if (!approver) return
  const at2 = reportDeeds({ ...needs, system: db, clock: () => approver.at })
  // Without a CJK font, the report stays in state checked.
  await at2.approve(db, personOf(of, approver), made.Id, report.RecordSha256).catch((error) => {
    if (!(error instanceof Fault) || error.key !== 'reportNoFont') throw error
  })
}

/** A running report in state draft. */
export const pastRunning = async (db: Db, needs: PastNeeds, of: Of & { asked: PhaseAsk; author: Step }) => {
  const { EnterpriseId, asked, author, language } = of
  const made = await generatePhase(db, personOf(of, author), asked, false, language, begins(author.at))
  await computeReport(db, db, { ...needs, clock: () => author.at }, { Id: made.Id, EnterpriseId })
  await madeAt(db, made, author.at)
}
