import '../theme/files.css'
import { DeleteOutlined, PictureOutlined, UploadOutlined, UserOutlined } from '@ant-design/icons'
import { App, Avatar, Button, Upload } from 'antd'
import { useState } from 'react'
import { acceptedBy, type FilePurpose, filePurposes } from '../../contract/files.ts'
import { useWords } from '../words/words.ts'
import { sendFile, useFileUrl } from './stored.ts'

/** A stored picture by its path, round for people. */
export const StoredPicture = ({
  path,
  round,
  size = 40,
  alt = '',
}: {
  path?: string | null
  round?: boolean
  size?: number
  alt?: string
}) => (
  <Avatar
    shape={round ? 'circle' : 'square'}
    size={size}
    src={useFileUrl(path)}
    alt={alt}
    icon={round ? <UserOutlined /> : <PictureOutlined />}
    className={round ? undefined : 'stored-picture'}
  />
)

type Props = {
  /** FilePath as in the record; below `/api` if `absolute`. */
  value?: string | null
  onChange?: (path: string | null) => void
  purpose: Extract<FilePurpose, 'logo' | 'avatar' | 'picture'>
  /** The record's field contains a server path, such as `/api/files/…`. */
  absolute?: boolean
  disabled?: boolean
  id?: string
}

/** A picture in a form: shows, replaces and removes it. The form saves the path. */
export const PictureInput = ({ value, onChange, purpose, absolute, disabled, id }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [sending, setSending] = useState(false)
  const megabytes = filePurposes[purpose].most / 1024 / 1024
  const send = async (file: File) => {
    if (file.size > filePurposes[purpose].most) {
      message.error(t('picture.tooLarge', { megabytes }))
      return
    }
    setSending(true)
    try {
      const { FilePath } = await sendFile(file, purpose)
      onChange?.(absolute ? `/api/${FilePath}` : FilePath)
    } catch (error) {
      message.error((error as Error).message)
    }
    setSending(false)
  }
  return (
    <div className="picture-input">
      <StoredPicture path={value} round={purpose === 'avatar'} size={64} alt={t('picture.current')} />
      {!disabled && (
        <div className="picture-buttons">
          <Upload accept={acceptedBy(purpose)} showUploadList={false} customRequest={({ file }) => void send(file as File)}>
            <Button id={id} icon={<UploadOutlined />} loading={sending}>
              {t(value ? 'picture.other' : 'picture.choose')}
            </Button>
          </Upload>
          {value && (
            <Button type="text" icon={<DeleteOutlined />} onClick={() => onChange?.(null)}>
              {t('picture.none')}
            </Button>
          )}
          <span className="faint">{t('picture.limit', { megabytes })}</span>
        </div>
      )}
    </div>
  )
}
