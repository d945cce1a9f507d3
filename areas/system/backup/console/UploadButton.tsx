import { CloudUploadOutlined } from '@ant-design/icons'
import { App, Button, Progress } from 'antd'
import { useRef, useState } from 'react'
import { invalidate } from '../../../../console/kernel/api.ts'
import { Fault, invoke, queryString, request } from '../../../../console/session/request.ts'
import { queryClient } from '../../../../console/shell/queries.ts'
import { useWords } from '../../../../console/words/words.ts'
import { backupCalls } from '../contract.ts'
import type { Kind } from './calls.ts'
import { PassphraseDialog } from './PassphraseDialog.tsx'

/** Uploads in parts, because an archive exceeds the size of a request. `onProgress`: fraction uploaded, 0 to 1. */
const send = async (file: File, kind: Kind, onProgress: (part: number) => void, Passphrase?: string) => {
  const Kind = kind === 'db' ? 'DB' : 'Resource'
  const { Ticket, PartBytes } = await invoke(backupCalls.upload, { body: { Kind, Size: file.size } })
  for (let at = 0; at < file.size; at += PartBytes) {
    const body = new FormData()
    body.append('file', file.slice(at, at + PartBytes), file.name)
    const part = () => request('POST', `${backupCalls.uploadPart.path}${queryString({ Ticket, Offset: at })}`, body)
    // Retry once after a network error. The server ignores a part it already has.
    await part().catch((error: unknown) => (error instanceof Fault && error.status !== 0 ? Promise.reject(error) : part()))
    onProgress(Math.min(1, (at + PartBytes) / file.size))
  }
  return invoke(backupCalls.uploaded, { body: { Ticket, ...(Passphrase ? { Passphrase } : {}) } })
}

/** Uploads a downloaded archive, of this or another installation. */
export const UploadButton = ({ kind, disabled }: { kind: Kind; disabled: boolean }) => {
  const t = useWords()
  const { message } = App.useApp()
  const input = useRef<HTMLInputElement>(null)
  const [part, setPart] = useState<number>()
  const [encrypted, setEncrypted] = useState<File>()
  const upload = async (file: File, passphrase?: string) => {
    setPart(0)
    try {
      await send(file, kind, setPart, passphrase)
      await invalidate(queryClient, ['backup'])
    } catch (error) {
      void message.error((error as Error).message)
    }
    setPart(undefined)
  }
  const label = t('backup.bringing')
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".tar,.age"
        hidden
        aria-label={t('backup.bringFile')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file?.name.endsWith('.age')) setEncrypted(file)
          else if (file) void upload(file)
        }}
      />
      {encrypted && (
        <PassphraseDialog
          once
          title={t('backup.bring')}
          about={t('backup.passphraseNeeded')}
          okText={t('backup.bring')}
          run={async (passphrase) => void upload(encrypted, passphrase)}
          close={() => setEncrypted(undefined)}
        />
      )}
      {part === undefined ? (
        <Button icon={<CloudUploadOutlined />} disabled={disabled} onClick={() => input.current?.click()}>
          {t('backup.bring')}
        </Button>
      ) : (
        <div className="job-line" role="status">
          <span>{label}</span>
          <Progress percent={Math.round(part * 100)} size="small" status="active" aria-label={label} />
        </div>
      )}
    </>
  )
}
