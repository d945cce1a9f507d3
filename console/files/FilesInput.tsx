import '../theme/files.css'
import { CloseOutlined, PaperClipOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button, Upload } from 'antd'
import { useState } from 'react'
import type { Attachment } from '../../contract/field.ts'
import { acceptedBy, type FilesPurpose, filePurposes } from '../../contract/files.ts'
import { isLocal, localPath } from '../offline/forms.ts'
import { offlineOwner } from '../offline/mark.ts'
import { download, Fault, saveFile } from '../session/request.ts'
import { useWords } from '../words/words.ts'
import { sendFile } from './stored.ts'

/** Opens a file, from this phone if it is cached. */
const open = async (path: string, name: string) => {
  if (isLocal(path)) return void saveLocal(path, name)
  await download(`/${path}`, name).catch(async (error) => {
    const kept = offlineOwner() ? await (await import('../offline/kept.ts')).keptPicture(path) : undefined
    if (!kept) throw error
    saveFile(kept, name)
  })
}
const saveLocal = async (path: string, name: string) => {
  const photo = await (await import('../offline/queue.ts')).photoOf(path.slice('local:'.length))
  if (photo) saveFile(photo.blob, name)
}
/** Shrinks a photo and stores it on this phone until the form is sent. */
const takePhoto = async (file: File): Promise<Attachment> => {
  const [photos, queue] = await Promise.all([import('../offline/photos.ts'), import('../offline/queue.ts')])
  const FileName = photos.jpegName(file.name)
  return { FilePath: localPath(await queue.keepPhoto(await photos.shrinkPhoto(file), FileName)), FileName }
}

/** A stored file as a link that downloads it. */
export const FileLink = ({ file: { FilePath, FileName } }: { file: Attachment }) => (
  <Button type="link" size="small" icon={<PaperClipOutlined />} onClick={() => void open(FilePath.replace(/^\/?(api\/)?/, ''), FileName)}>
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
  /** Photos stay on the phone until the form sends them (`withUploads`). */
  photos?: boolean
}

/** Files in a form: lists, uploads and removes files. The form saves their paths. */
export const FilesInput = ({ value, onChange, most, purpose = 'attachment', id, disabled, photos }: Props) => {
  const bytes = filePurposes[purpose].most
  const megabytes = bytes / 1024 / 1024
  const t = useWords()
  const { message } = App.useApp()
  const [sending, setSending] = useState(false)
  const files = value ?? []
  const send = async (file: File) => {
    const isPhoto = photos === true && file.type.startsWith('image/')
    if (file.size > bytes && !isPhoto) {
      message.error(t('files.tooLarge', { name: file.name, megabytes }))
      return
    }
    setSending(true)
    try {
      const { FilePath, FileName } = isPhoto ? await takePhoto(file) : await sendFile(file, purpose)
      onChange?.([...files, { FilePath, FileName }])
    } catch (error) {
      message.error(isPhoto && !(error instanceof Fault) ? t('files.noPicture', { name: file.name }) : (error as Error).message)
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
        <Upload
          accept={`${acceptedBy(purpose)}${photos ? ',image/*' : ''}`}
          showUploadList={false}
          customRequest={({ file }) => void send(file as File)}
        >
          <Button id={id} icon={<UploadOutlined />} loading={sending}>
            {t(photos ? 'files.photo' : 'files.add')}
          </Button>
        </Upload>
      )}
      {!disabled && <div className="faint">{t('files.most', { most, megabytes })}</div>}
    </div>
  )
}
