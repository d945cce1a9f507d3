import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import '../../../../console/theme/backup.css'
import { CloudDownloadOutlined, DeleteOutlined, HddOutlined, LockOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button, Table } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { invalidate, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { CardList } from '../../../../console/kernel/CardList.tsx'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { type Action, RowActions } from '../../../../console/kernel/RowActions.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { queryClient } from '../../../../console/shell/queries.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { none, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type BackupFile, backupCalls } from '../contract.ts'
import { callsOf, type Kind, sizeText } from './calls.ts'
import { JobLine } from './JobLine.tsx'
import { PassphraseDialog } from './PassphraseDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { UploadButton } from './UploadButton.tsx'

const workingMs = 1000
const idleMs = 15_000

type RowsProps = { kind: Kind; rows: BackupFile[] | undefined; actions: (b: BackupFile) => Action[]; empty: ReactNode }

/** Backups as a table; as cards on a phone. */
const BackupRows = ({ kind, rows, actions, empty }: RowsProps) => {
  const t = useWords()
  const phone = usePhone()
  const count = (n: number) => n.toLocaleString(language())
  const content = (b: BackupFile) =>
    kind === 'files'
      ? t('backup.files', { count: count(b.Files) })
      : [
          t('backup.rows', { count: count(b.Rows) }),
          b.WithReadings ? t('backup.readings', { count: count(b.Readings) }) : t('backup.noReadings'),
        ].join(' · ')
  const size = (b: BackupFile) => (
    <span title={t('backup.added', { size: sizeText(b.AddedSize, language()) })}>{sizeText(b.Size, language())}</span>
  )
  if (phone)
    return (
      <CardList
        rows={rows?.map((b, Id) => ({ ...b, Id }))}
        loading={!rows}
        title={(b) => timeText(b.Time)}
        lines={(b) => [
          { key: 'content', label: t('backup.content'), content: content(b) },
          { key: 'size', label: t('backup.size'), content: size(b) },
          { key: 'by', label: t('backup.by'), content: b.By ?? t('backup.timer') },
        ]}
        actions={(b) => <RowActions actions={actions(b)} title={timeText(b.Time)} icons={1} />}
        empty={empty}
      />
    )
  return (
    <Table<BackupFile>
      rowKey="FileName"
      size="small"
      loading={!rows}
      dataSource={rows ?? []}
      locale={{ emptyText: rows ? empty : ' ' }}
      pagination={rows && rows.length > 20 ? { pageSize: 20 } : false}
      columns={[
        { title: t('backup.time'), key: 'time', render: (_, b) => <span className="figures">{timeText(b.Time)}</span> },
        { title: t('backup.content'), key: 'content', render: (_, b) => content(b) },
        { title: t('backup.size'), key: 'size', align: 'right', render: (_, b) => size(b) },
        {
          title: t('backup.duration'),
          key: 'duration',
          align: 'right',
          render: (_, b) => `${(b.DurationMs / 1000).toLocaleString(language(), { maximumFractionDigits: 1 })} s`,
        },
        { title: t('backup.version'), key: 'version', render: (_, b) => b.Version || none },
        { title: t('backup.by'), key: 'by', render: (_, b) => b.By ?? <span className="soft">{t('backup.timer')}</span> },
        {
          title: <span className="sr-only">{t('list.actions')}</span>,
          key: 'actions',
          align: 'right',
          width: 104,
          render: (_, b) => <RowActions actions={actions(b)} title={timeText(b.Time)} />,
        },
      ]}
    />
  )
}

/** Shows whether scheduled backups are encrypted, with a button to change it. */
const Schedule = ({ encrypt }: { encrypt: () => void }) => {
  const t = useWords()
  const { data: scheduled } = useCall(backupCalls.passphrase, { of: ['backup'] })
  const schedule = useCommand(backupCalls.setPassphrase, ['backup'])
  return (
    <p className="soft">
      {t(scheduled?.HasPassphrase ? 'backup.scheduledEncrypted' : 'backup.scheduledOpen')}
      <Button type="link" onClick={encrypt}>
        {t('backup.setPassphrase')}
      </Button>
      {scheduled?.HasPassphrase === 1 && (
        <Button type="link" danger onClick={() => schedule.mutate({ body: { Passphrase: null } })}>
          {t('button.remove')}
        </Button>
      )}
    </p>
  )
}

/** Backups of one kind, newest first, and the running job. */
export const BackupList = ({ kind }: { kind: Kind }) => {
  const t = useWords()
  const confirm = useConfirm()
  const calls = callsOf[kind]
  const [mayBackUp, mayTake, mayRestore, mayRemove] = [
    useMay('m10452.backup'),
    useMay('m10452.download'),
    useMay('m10452.restore'),
    useMay('m10452.remove'),
  ]
  const [working, setWorking] = useState(false)
  const { data, error, refetch } = useCall(calls.list, { of: ['backup'] })
  const { data: job } = useCall(calls.status, { of: ['backup'], refetchInterval: working ? workingMs : idleMs })
  const { data: restored } = useCall(calls.restoreStatus, { of: ['backup'], refetchInterval: idleMs })
  const begin = useCommand(calls.begin, ['backup'])
  const remove = useCommand(backupCalls.remove, ['backup'])
  const ticket = useCommand(backupCalls.ticket)
  const [restoring, setRestoring] = useState<BackupFile>()
  const [encrypting, setEncrypting] = useState<'now' | 'scheduled'>()
  const schedule = useCommand(backupCalls.setPassphrase, ['backup'])

  // A new backup is listed when its job ends.
  const status = job?.Status
  useEffect(() => {
    setWorking(status === 1)
    if (status === 2) void invalidate(queryClient, ['backup'])
  }, [status])

  const actions = (b: BackupFile): Action[] => [
    ...(mayTake
      ? [
          {
            key: 'take',
            label: t('button.download'),
            icon: <CloudDownloadOutlined />,
            run: () => ticket.mutate({ body: { FileName: b.FileName } }, { onSuccess: ({ Url }) => location.assign(Url) }),
          },
        ]
      : []),
    ...(mayRestore ? [{ key: 'restore', label: t('backup.restore'), icon: <RollbackOutlined />, run: () => setRestoring(b) }] : []),
    ...(mayRemove
      ? [
          {
            key: 'remove',
            label: t('button.remove'),
            icon: <DeleteOutlined />,
            danger: true,
            run: () =>
              confirm({
                title: t('list.removeOne', { title: b.FileName }),
                content: t('remove.backup'),
                run: () => remove.mutateAsync({ body: { FileName: b.FileName } }),
              }),
          },
        ]
      : []),
  ]
  const start = mayBackUp ? { label: t('backup.now'), run: () => begin.mutate({ body: {} }) } : undefined
  const empty = <EmptyList text={t(`empty.backup.${kind}`)} action={start} />
  return (
    <section aria-label={t(`backup.kind.${kind}`)}>
      <div className="shelf-head">
        <p className="soft">{t(`backup.about.${kind}`)}</p>
        {mayRestore && <UploadButton kind={kind} disabled={status === 1} />}
        {start && (
          <Button icon={<LockOutlined />} disabled={status === 1} onClick={() => setEncrypting('now')}>
            {t('backup.nowEncrypted')}
          </Button>
        )}
        {start && (
          <Button type="primary" icon={<HddOutlined />} disabled={status === 1} loading={begin.isPending} onClick={start.run}>
            {start.label}
          </Button>
        )}
      </div>
      {start && <Schedule encrypt={() => setEncrypting('scheduled')} />}
      <JobLine job={job} />
      <JobLine job={restored} restoring />
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : (
        <BackupRows kind={kind} rows={data} actions={actions} empty={empty} />
      )}
      {encrypting && (
        <PassphraseDialog
          title={t(encrypting === 'now' ? 'backup.nowEncrypted' : 'backup.setPassphrase')}
          about={t('backup.passphraseLost')}
          okText={t(encrypting === 'now' ? 'backup.now' : 'save')}
          run={(Passphrase) => (encrypting === 'now' ? begin : schedule).mutateAsync({ body: { Passphrase } })}
          close={() => setEncrypting(undefined)}
        />
      )}
      {restoring && <RestoreDialog backup={restoring} kind={kind} close={() => setRestoring(undefined)} />}
    </section>
  )
}
