import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { note } from '../../../../server/identity/note.ts'
import { backupCalls } from '../contract.ts'
import type { Kind } from './archive/backupStore.ts'
import type { ScheduledPassphrase } from './passphrase.ts'
import type { Backups } from './service.ts'
import { partBytes } from './uploads.ts'

const accountOf = async (db: Db, actor: Actor) =>
  (await db.rows<{ UserNO: string }>(sql`select "UserNO" from "user" where "Id" = ${actor.UserId}`))[0]?.UserNO ?? null

const callerOf = (actor: Actor, request: FastifyRequest) => ({
  UserId: actor.UserId,
  EnterpriseId: actor.EnterpriseId,
  UserNO: null,
  session: actor.session,
  Ip: request.ip,
  RequestId: request.id,
})

type Tools = {
  backups: Backups
  /** Logs an action on a backup. */
  audit(actor: Actor, verb: string, name: string): Promise<unknown>
  send(reply: FastifyReply, name: string): unknown
}

/** Calls shared by database and files. */
const kindRoutes = (app: FastifyInstance, { backups, audit, send }: Tools) => {
  for (const [kind, files, status, begin, restoreStatus, restore, download] of [
    [
      'db',
      backupCalls.dbFiles,
      backupCalls.dbStatus,
      backupCalls.backupDb,
      backupCalls.restoreDbStatus,
      backupCalls.restoreDb,
      backupCalls.dbDownload,
    ],
    [
      'files',
      backupCalls.resourceFiles,
      backupCalls.resourceStatus,
      backupCalls.backupResource,
      backupCalls.restoreResourceStatus,
      backupCalls.restoreResource,
      backupCalls.resourceDownload,
    ],
  ] as const) {
    serve(app, files, () => backups.list(kind))
    serve(app, status, () => backups.job(`backup-${kind}`))
    serve(app, restoreStatus, () => backups.job(`restore-${kind}`))
    serve(app, begin, async ({ actor, db, body, request }) => {
      const UserNO = await accountOf(db, actor)
      // The status shows progress and outcome; the log names the backup.
      backups
        .backup(kind as Kind, { ...callerOf(actor, request), UserNO }, body.Passphrase)
        .then(({ Name }) => audit(actor, 'backup', Name))
        .catch(() => {})
      return backups.job(`backup-${kind}`)
    })
    serve(app, restore, async ({ actor, body, request }) => {
      if (body.Confirm !== body.FileName) throw new FieldFaults([{ field: 'Confirm', rule: 'confirm' }])
      const { done } = await backups.restore(kind as Kind, body.FileName, callerOf(actor, request), body.Passphrase)
      done.catch(() => {})
      if (kind === 'files') await audit(actor, 'restore', body.FileName)
      return backups.job(`restore-${kind}`)
    })
    serve(app, download, async ({ actor, query, reply }) => {
      await audit(actor, 'export', query.FileName)
      return send(reply, query.FileName)
    })
  }
}

export const backupRoutes = (app: FastifyInstance, backups: Backups, scheduled: ScheduledPassphrase, database: Database) => {
  const audit = (actor: Actor, Verb: string, Title: string) =>
    note(
      database.system,
      {
        EnterpriseId: actor.EnterpriseId,
        UserId: actor.UserId,
        Resource: 'backup',
        RecordId: 0,
        Verb,
        Ip: actor.origin?.ip,
        RequestId: actor.origin?.requestId,
      },
      { Title },
    )
  const send = (reply: FastifyReply, name: string) => {
    const { file, content } = backups.archive(name)
    return sendFile(reply, file, content)
  }
  kindRoutes(app, { backups, audit, send })
  serve(app, backupCalls.upload, async ({ body }) => ({
    Ticket: await backups.uploads.begin(body.Kind === 'DB' ? 'db' : 'files', body.Size),
    PartBytes: partBytes,
  }))
  serve(app, backupCalls.uploadPart, ({ query, request }) =>
    app.uploads.receive(request, async ({ content }) => ({ Received: await backups.uploads.add(query.Ticket, query.Offset, content) })),
  )
  serve(app, backupCalls.uploaded, async ({ actor, body }) => {
    const { kind, done } = await backups.uploaded(body.Ticket, body.Passphrase)
    done.then(({ Name }) => audit(actor, 'create', Name)).catch(() => {})
    return backups.job(`backup-${kind}`)
  })
  serve(app, backupCalls.passphrase, () => scheduled.has())
  serve(app, backupCalls.setPassphrase, async ({ actor, body }) => {
    const set = await scheduled.set(body.Passphrase)
    await audit(actor, 'password', set.HasPassphrase ? 'HasPassphrase' : '')
    return set
  })
  serve(app, backupCalls.remove, async ({ actor, body }) => {
    const removed = await backups.remove(body.FileName)
    await audit(actor, 'remove', body.FileName)
    return removed
  })
  serve(app, backupCalls.ticket, async ({ actor, body }) => {
    const Url = `/api/System/Backup/Fetch?Ticket=${backups.ticket(body.FileName)}`
    await audit(actor, 'export', body.FileName)
    return { Url }
  })
  serve(app, backupCalls.fetch, ({ query, reply }) => send(reply, backups.redeem(query.Ticket)))
}
