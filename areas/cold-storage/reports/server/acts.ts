// Check, approve and withdraw. A third person approves exactly the displayed record, once.
import { randomUUID } from 'node:crypto'
import { readFile as readPath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { keyedQueue } from '../../../../server/database/keyedQueue.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandlers } from '../../../../server/resource/acts.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { renderReport } from '../../../analysis/reports/server/service.ts'
import { approved, checked, coldReportRules, draft, withdrawn } from '../contract.ts'
import { documentOf } from './document.ts'
import type { Signed } from './drawings.ts'
import type { Report } from './gather.ts'
import { giveFile, pathOf, putFile, readFile, sha256 } from './keep.ts'
import { ownReports } from './own.ts'
import { askRecord, reportInTurn } from './recording.ts'
import { confirmPerson, type Signs } from './signing.ts'

export type ActNeeds = Signs & { store: FileStore; clock: () => number; font: string | undefined }

/** The content of a report, from its stored record. */
export const documentOfReport = async (
  store: Pick<FileStore, 'get'>,
  { RecordPath, RecordSha256 }: Pick<Report, 'RecordPath' | 'RecordSha256'>,
  signed: Signed,
  language: Language,
) => {
  const { record, figures } = await askRecord<'read'>({ kind: 'read', bytes: await readFile(store, RecordPath, RecordSha256) })
  return documentOf(record, figures, signed, language)
}

type People = { Checker: string | null; CheckMs: number | null; Approver: string | null; ApproveMs: number | null }
/** Signatures so far. */
export const signedOf = async (db: Db, { Id, State, RecordSha256 }: Report): Promise<Signed> => {
  const [row] = await db.rows<People>(sql`
    select c."UserName" as "Checker", (extract(epoch from r."CheckTime") * 1000)::float8 as "CheckMs", a."UserName" as "Approver",
      (extract(epoch from r."ApproveTime") * 1000)::float8 as "ApproveMs"
    from cold_report r left join "user" c on c."Id" = r."CheckUserId" left join "user" a on a."Id" = r."ApproveUserId" where r."Id" = ${Id}`)
  const { Checker, CheckMs, Approver, ApproveMs } = row!
  return { State, Checker, CheckTime: CheckMs, Approver, ApproveTime: ApproveMs, Sha256: RecordSha256 ?? '' }
}

/** Draws a report. The renderer writes files, so its bytes pass through a temporary one. */
export const pdfOfReport = async (report: Report, signed: Signed, { store, font }: Pick<ActNeeds, 'store' | 'font'>): Promise<Buffer> => {
  const path = join(tmpdir(), `cold-report-${randomUUID()}.pdf`)
  const language = report.Language as Language
  try {
    const document = await documentOfReport(store, report, signed, language)
    await renderReport({ document, format: 'pdf', language, path, font }, AbortSignal.timeout(120_000))
    return await readPath(path)
  } finally {
    await rm(path, { force: true })
  }
}

const assertOthers = (field: string, actor: Actor, people: readonly (number | null)[]) => {
  if (people.includes(actor.UserId)) throw new FieldFaults([{ field, rule: 'cold.report.ownWork' }])
}
const assertSeen = (report: Report, hash: unknown) => {
  if (report.RecordSha256 !== hash) throw new Fault('changedMeanwhile', {}, { Current: report })
}
const wrongState = ({ ReportNo }: Report) => new Fault('wrongState', { title: ReportNo })

/** Updates a report with an optimistic lock: the first of several concurrent updates wins. */
const move = (db: Db, actor: Actor, { Id }: Report, from: number, values: Record<string, unknown>) =>
  db.tx(async (db) => {
    const [row] = await db.rows<{ State: number }>(sql`select "State" from cold_report where "Id" = ${Id} for no key update`)
    const report = await ownReports.find(db, actor, Id)
    if (row?.State !== from) throw wrongState(report)
    return ownReports.update(db, actor, Id, values)
  })

/** Check and approve, after re-authentication. */
export const reportDeeds = (needs: Omit<ActNeeds, 'attempts'>) => {
  const { system, store, clock } = needs
  const mayCheckOwn = async ({ EnterpriseId }: Report) => (await readSettings(system, coldReportRules, EnterpriseId)).AuthorChecks === 1
  return {
    check: async (db: Db, actor: Actor, report: Report, hash: unknown) => {
      assertSeen(report, hash)
      if (!(await mayCheckOwn(report))) assertOthers('Id', actor, [report.UserId])
      return move(db, actor, report, draft, {
        ...{ UpdateStamp: report.UpdateStamp, State: checked, CheckUserId: actor.UserId, CheckTime: new Date(clock()) },
      })
    },
    approve: async (db: Db, actor: Actor, id: number, hash: unknown) => {
      const report = await ownReports.find(db, actor, id)
      if (report.State !== checked) throw wrongState(report)
      assertSeen(report, hash)
      assertOthers('Id', actor, [report.UserId, report.CheckUserId])
      const now = clock()
      const [me] = await system.rows<{ UserName: string }>(sql`select "UserName" from "user" where "Id" = ${actor.UserId}`)
      const signed = { ...(await signedOf(system, report)), State: approved, Approver: me?.UserName ?? null, ApproveTime: now }
      const bytes = await reportInTurn(report.EnterpriseId, () => pdfOfReport(report, signed, needs))
      const file = await putFile(store, report.EnterpriseId, 'pdf', bytes)
      await db.tx(async (db) => {
        const issued = { FileUrl: pathOf(file), FileSha256: sha256(bytes), ApproveUserId: actor.UserId, ApproveTime: new Date(now) }
        const [row] = await db.rows<{ State: number; RecordSha256: string }>(
          sql`select "State", "RecordSha256" from cold_report where "Id" = ${id} for no key update`,
        )
        if (row?.State !== checked) throw wrongState(report)
        if (row.RecordSha256 !== hash) throw new Fault('changedMeanwhile')
        await giveFile(db, file, report)
        await ownReports.update(db, actor, id, { State: approved, ...issued })
      })
    },
  }
}

export const reportActs = (needs: ActNeeds): ActHandlers => {
  const { clock } = needs
  const { check, approve } = reportDeeds(needs)
  /** Concurrent approvals wait for the first one and then find the report approved. */
  const oneByOne = keyedQueue()

  return {
    recompute: async ({ db, actor, row }) => {
      await db.tx(async (db) => {
        await move(db, actor, row as unknown as Report, draft, { Result: 0, IsFailed: 0 })
        await db.rows(sql`update cold_report set "Tries" = 0, "NextTime" = ${new Date(clock())} where "Id" = ${row.Id}`)
      })
    },
    check: async ({ db, actor, body, row, request }) => {
      await confirmPerson(needs, actor, request, String(body.Pwd))
      await check(db, actor, row as unknown as Report, body.RecordSha256)
    },
    approve: async ({ db, actor, body, row, request }) => {
      await confirmPerson(needs, actor, request, String(body.Pwd))
      await oneByOne(String(row.Id), () => approve(db, actor, row.Id, body.RecordSha256))
    },
    withdraw: async ({ db, actor, body, row, request }) => {
      await confirmPerson(needs, actor, request, String(body.Pwd))
      const WithdrawReason = String(body.Reason).trim()
      if (!WithdrawReason) throw new FieldFaults([{ field: 'Reason', rule: 'required' }])
      await move(db, actor, row as unknown as Report, approved, {
        ...{ State: withdrawn, WithdrawReason, WithdrawUserId: actor.UserId, WithdrawTime: new Date(clock()) },
      })
    },
  }
}
