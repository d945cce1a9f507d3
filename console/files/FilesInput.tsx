import '../theme/files.css'
import { CloseOutlined, PaperClipOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button, Upload } from 'antd'
import { useState } from 'react'
import type { Attachment } from '../../contract/field.ts'
import { acceptedBy, type FilesPurpose, filePurposes } from '../../contract/files.ts'
import { download } from '../session/request.ts'
import { useWords } from '../words/words.ts'
import { sendFile } from './stored.ts'

/** A stored file as a link that downloads it. */
export const FileLink = ({ file: { FilePath, FileName } }: { file: Attachment }) => (
  <Button
    type="link"
    size="small"
    icon={<PaperClipOutlined />}
    onClick={() => void download(`/${FilePath.replace(/^\/?(api\/)?/, '')}`, FileName)}
  >
    {FileName}
  </Button>
)

type Props = {
  value?: readonly Attachment[] | null
  onChange?: (files: Attachment[]) => void
  most: number
  purpose?: FilesPurpose
  id?: string
  disabled?: boolean
}

/** Files in a form: shows those there are, sends more, takes some away. The form saves their paths. */
export const FilesInput = ({ value, onChange, most, purpose = 'attachment', id, disabled }: Props) => {
  const bytes = filePurposes[purpose].most
  const megabytes = bytes / 1024 / 1024
  const t = useWords()
  const { message } = App.useApp()
  const [sending, setSending] = useState(false)
  const files = value ?? []
  const send = async (file: File) => {
    if (file.size > bytes) {
      message.error(t('files.tooLarge', { name: file.name, megabytes }))
      return
    }
    setSending(true)
    try {
      const { FilePath, FileName } = await sendFile(file, purpose)
      onChange?.([...files, { FilePath, FileName }])
    } catch (error) {
      message.error((error as Error).message)
    }
    setSending(false)
  }
  return (
    <div className="files-input">
      {files.map((file) => (
        <div key={file.FilePath} className="files-entry">
          <FileLink file={file} />
          {!disabled && (
            <Button
              type="text"
              size="small"
              icon={<CloseOutlined />}
              aria-label={t('files.remove', { name: file.FileName })}
              onClick={() => onChange?.(files.filter((other) => other !== file))}
            />
          )}
        </div>
      ))}
      {!disabled && files.length < most && (
        <Upload accept={acceptedBy(purpose)} showUploadList={false} customRequest={({ file }) => void send(file as File)}>
          <Button id={id} icon={<UploadOutlined />} loading={sending}>
            {t('files.add')}
          </Button>
        </Upload>
      )}
      {!disabled && <div className="faint">{t('files.most', { most, megabytes })}</div>}
    </div>
  )
}
