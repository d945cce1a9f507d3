import { type Static, Type } from 'typebox'
import { call, Removed } from '../../../contract/call.ts'

const Text = Type.String()
const Maybe = Type.Union([Text, Type.Null()])
const Count = Type.Integer()
/** Backup names are generated, so none can be a path. */
const FileName = Type.String({ pattern: '^penstock-(db|files)-\\d{8}T\\d{6}Z(-\\d+)?$', maxLength: 60 })
const Named = Type.Object({ FileName })
/** Never stored: without it the backup cannot be decrypted. */
const Passphrase = Type.String({ minLength: 12, maxLength: 200 })
const MaybePassphrase = Type.Optional(Passphrase)

/** A backup, as shown in lists and in the confirmation of a restore. */
export const BackupFile = Type.Object({
  FileName: Text,
  /** Time of the snapshot, epoch ms. */
  Time: Type.Integer(),
  DurationMs: Count,
  /** Total bytes; content shared with earlier backups is stored once. */
  Size: Count,
  AddedSize: Count,
  Sha256: Text,
  Version: Text,
  By: Maybe,
  /** Row counts of the main resources and of all tables; readings; files. */
  Things: Type.Record(Text, Count),
  Rows: Count,
  Readings: Count,
  Files: Count,
  /** False when readings are in an external store, which has its own backups. */
  WithReadings: Type.Boolean(),
  /** One encrypted file, which shares no content with other backups. */
  Encrypted: Type.Boolean(),
  /** Signed by this installation. Other backups can only be restored with `npm run restore`. */
  Sealed: Type.Boolean(),
})
export type BackupFile = Static<typeof BackupFile>

/** The last or current work of its kind. Status: 0 none or waiting, 1 running, 2 done, 3 failed. */
export const BackupJob = Type.Object({
  Status: Type.Integer(),
  /** Key of words at `backup.step.<Step>`. */
  Step: Text,
  /** Percent. */
  Progress: Type.Integer(),
  FileName: Maybe,
  StartTime: Type.Union([Type.Integer(), Type.Null()]),
  DurationMs: Type.Union([Type.Integer(), Type.Null()]),
  Error: Maybe,
})
export type BackupJob = Static<typeof BackupJob>

const listOf = (name: string) =>
  call({ method: 'GET', path: `/System/Backup/${name}`, permission: 'm10452', answer: Type.Array(BackupFile) })
const statusOf = (path: string) => call({ method: 'GET', path: `/System/${path}`, permission: 'm10452', answer: BackupJob })
const download = (path: string) => call({ method: 'GET', path: `/System/Backup/${path}`, permission: 'm10452.download', query: Named })
const begin = (path: string) =>
  call({
    method: 'POST',
    path: `/System/Backup/${path}`,
    permission: 'm10452.backup',
    body: Type.Object({ Passphrase: MaybePassphrase }),
    answer: BackupJob,
  })
const restore = (path: string) =>
  call({
    method: 'POST',
    path: `/System/Restore/${path}`,
    permission: 'm10452.restore',
    /** `Confirm` repeats the name, to prevent accidental restores. */
    body: Type.Object({ FileName, Confirm: FileName, Passphrase: MaybePassphrase }),
    answer: BackupJob,
  })

export const backupCalls = {
  dbFiles: listOf('DBFiles'),
  resourceFiles: listOf('ResourceFiles'),
  dbStatus: statusOf('Backup/DBStatus'),
  resourceStatus: statusOf('Backup/ResourceStatus'),
  restoreDbStatus: statusOf('Restore/DBStatus'),
  restoreResourceStatus: statusOf('Restore/ResourceStatus'),
  /** The whole backup as one tar archive, streamed. */
  dbDownload: download('DBFileDownLoad'),
  resourceDownload: download('ResourceFileDownLoad'),
  backupDb: begin('DB'),
  backupResource: begin('Resource'),
  /** Checks the backup, then restores the database and the readings: the server restarts. */
  restoreDb: restore('DB'),
  /** Restores missing or damaged files; newer files stay. */
  restoreResource: restore('Resource'),
  /** Starts a multi-part upload of an archive; one at a time. */
  upload: call({
    method: 'POST',
    path: '/System/Backup/Bring',
    permission: 'm10452.restore',
    body: Type.Object({ Kind: Type.Unsafe<'DB' | 'Resource'>({ enum: ['DB', 'Resource'] }), Size: Type.Integer({ minimum: 1 }) }),
    answer: Type.Object({ Ticket: Text, PartBytes: Type.Integer() }),
  }),
  /** The next bytes, as a multipart file. Returns the number of bytes received so far. */
  uploadPart: call({
    method: 'POST',
    path: '/System/Backup/BringPart',
    permission: 'm10452.restore',
    query: Type.Object({ Ticket: Type.String({ maxLength: 64 }), Offset: Type.Integer({ minimum: 0 }) }),
    answer: Type.Object({ Received: Type.Integer() }),
  }),
  /** Ends an upload: checks the archive and stores it. The status of backups shows the progress. */
  uploaded: call({
    method: 'POST',
    path: '/System/Backup/Brought',
    permission: 'm10452.restore',
    body: Type.Object({ Ticket: Type.String({ maxLength: 64 }), Passphrase: MaybePassphrase }),
    answer: BackupJob,
  }),
  /** Whether scheduled backups are encrypted; the passphrase itself is never returned. */
  passphrase: call({
    method: 'GET',
    path: '/System/Backup/Passphrase',
    permission: 'm10452',
    answer: Type.Object({ HasPassphrase: Type.Integer({ minimum: 0, maximum: 1 }) }),
  }),
  /** Null: scheduled backups are no longer encrypted. Existing ones stay encrypted. */
  setPassphrase: call({
    method: 'PUT',
    path: '/System/Backup/Passphrase',
    permission: 'm10452.backup',
    body: Type.Object({ Passphrase: Type.Union([Passphrase, Type.Null()]) }),
    answer: Type.Object({ HasPassphrase: Type.Integer({ minimum: 0, maximum: 1 }) }),
  }),
  remove: call({
    method: 'DELETE',
    path: '/System/Backup/File',
    permission: 'm10452.remove',
    body: Named,
    answer: Removed,
  }),
  /** A download address, valid once and for a minute: archives are too large for the memory of a page. */
  ticket: call({
    method: 'POST',
    path: '/System/Backup/Ticket',
    permission: 'm10452.download',
    body: Named,
    answer: Type.Object({ Url: Text }),
  }),
  fetch: call({
    method: 'GET',
    path: '/System/Backup/Fetch',
    permission: 'public',
    query: Type.Object({ Ticket: Type.String({ minLength: 1, maxLength: 64 }) }),
  }),
}
