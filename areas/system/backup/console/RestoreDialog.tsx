import { Alert, Input, Modal } from 'antd'
import { useEffect, useId, useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { BackupFile } from '../contract.ts'
import { callsOf, type Kind } from './calls.ts'
import { JobLine } from './JobLine.tsx'

/** Confirms a restore: what is replaced, and what is lost. Then shows its progress, also while the server is down. */
export const RestoreDialog = ({ backup, kind, close }: { backup: BackupFile; kind: Kind; close: () => void }) => {
  const t = useWords()
  const calls = callsOf[kind]
  const id = useId()
  const [passphrase, setPassphrase] = useState('')
  const begin = useCommand(calls.restore, ['backup'], { meta: { quiet: true } })
  const { data } = useCall(calls.restoreStatus, { of: ['restoring'], enabled: begin.isSuccess, refetchInterval: 1000 })
  // Data cached by the screen may belong to the previous restore.
  const job = begin.data && data && (data.StartTime ?? 0) >= (begin.data.StartTime ?? 0) ? data : begin.data
  const done = job?.Status === 2
  const working = begin.isPending || job?.Status === 1
  const time = timeText(backup.Time)
  const count = (n: number) => n.toLocaleString(language())

  // Everything cached in the page is outdated after a restore.
  useEffect(() => {
    if (!done || kind !== 'db') return
    const timer = setTimeout(() => location.reload(), 2500)
    return () => clearTimeout(timer)
  }, [done, kind])

  const things = Object.entries(backup.Things)
    .filter(([, n]) => n > 0)
    .map(([thing, n]) => `${t(thing)}: ${count(n)}`)
  return (
    <Modal
      open
      title={t('backup.restoreTitle', { time })}
      okText={t('backup.restore')}
      okButtonProps={{ danger: true, disabled: begin.isSuccess || !backup.Sealed || (backup.Encrypted && !passphrase), loading: working }}
      cancelText={t(begin.isSuccess ? 'close' : 'cancel')}
      cancelButtonProps={{ disabled: working }}
      closable={!working}
      mask={{ closable: false }}
      onCancel={close}
      onOk={() =>
        begin.mutate({
          body: { FileName: backup.FileName, Confirm: backup.FileName, ...(backup.Encrypted ? { Passphrase: passphrase } : {}) },
        })
      }
    >
      <div className="stack">
        {!begin.isSuccess && (
          <Alert type="warning" showIcon title={t(`backup.replaces.${kind}`)} description={t(`backup.lost.${kind}`, { time })} />
        )}
        <dl className="facts facts-one">
          <div>
            <dt>{t('backup')}</dt>
            <dd className="mono wrap">{backup.FileName}</dd>
          </div>
          <div>
            <dt>{t('backup.content')}</dt>
            <dd className="wrap">
              {kind === 'files'
                ? t('backup.files', { count: count(backup.Files) })
                : [...things, backup.WithReadings ? t('backup.readings', { count: count(backup.Readings) }) : t('backup.noReadings')].join(
                    ' · ',
                  )}
            </dd>
          </div>
        </dl>
        {!backup.Sealed && <Alert type="error" showIcon title={t('backup.foreign')} />}
        {backup.Sealed && backup.Encrypted && !begin.isSuccess && (
          <div>
            <label htmlFor={id}>{t('backup.passphrase')}</label>
            <Input.Password id={id} value={passphrase} maxLength={200} autoComplete="off" onChange={(e) => setPassphrase(e.target.value)} />
          </div>
        )}
        {begin.error && <Alert type="error" showIcon title={begin.error.message} role="alert" />}
        <JobLine job={job} restoring />
        {done && <Alert type="success" showIcon title={t(`backup.restored.${kind}`)} role="status" />}
      </div>
    </Modal>
  )
}
