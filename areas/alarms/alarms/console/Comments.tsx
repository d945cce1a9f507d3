import { PaperClipOutlined } from '@ant-design/icons'
import { Button, Input, Upload } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { download, request } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { acceptedBy, type fileCalls } from '../../../../contract/files.ts'
import { alarmCalls } from '../contract.ts'

type Attached = { FilePath: string; FileName: string }

/** Comments of an alarm with their attachments, and a form to add one. */
export const Comments = ({ id }: { id: number }) => {
  const t = useWords()
  const may = useMay('m10201.acknowledge')
  const { data } = useCall(alarmCalls.comments, { query: { Id: id }, of: ['alarmInfo'] })
  const addComment = useCommand(alarmCalls.comment, ['alarmInfo'])
  const [text, setText] = useState('')
  const [files, setFiles] = useState<Attached[]>([])
  const upload = async (file: File) => {
    const body = new FormData()
    body.append('file', file)
    const stored = await request<Answer<typeof fileCalls.upload>>(
      'POST',
      '/System/File/Upload?Purpose=attachment&MenuEncoding=m10201',
      body,
    )
    setFiles((files) => [...files, { FilePath: stored.FilePath, FileName: stored.FileName }])
  }
  return (
    <section aria-label={t('alarm.comments')}>
      <h3>{t('alarm.comments')}</h3>
      {data?.length === 0 && <p className="soft">{t('alarm.noComments')}</p>}
      {(data ?? []).map((c) => (
        <div key={c.Id} className="alarm-comment">
          <span className="soft">
            {c.UserName} · <span className="figures">{c.CreateTime}</span>
          </span>
          <p>{c.Text}</p>
          {c.Files.map((f) => (
            <Button
              key={f.FilePath}
              type="link"
              size="small"
              icon={<PaperClipOutlined />}
              onClick={() => void download(`/${f.FilePath.replace(/^\/?(api\/)?/, '')}`, f.FileName)}
            >
              {f.FileName}
            </Button>
          ))}
        </div>
      ))}
      {may && (
        <div className="alarm-say">
          <Input.TextArea
            value={text}
            maxLength={1000}
            autoSize={{ minRows: 2, maxRows: 6 }}
            placeholder={t('alarm.commentHint')}
            aria-label={t('alarm.commentHint')}
            onChange={(e) => setText(e.target.value)}
          />
          {files.map((f) => (
            <span key={f.FilePath} className="soft">
              {f.FileName}
            </span>
          ))}
          <div className="rule-words">
            <Upload
              accept={acceptedBy('attachment')}
              showUploadList={false}
              customRequest={({ file, onSuccess, onError }) => void upload(file as File).then(() => onSuccess?.({}), onError)}
            >
              <Button icon={<PaperClipOutlined />}>{t('alarm.attach')}</Button>
            </Upload>
            <Button
              type="primary"
              disabled={!text.trim()}
              loading={addComment.isPending}
              onClick={() =>
                addComment.mutate(
                  { body: { Id: id, Text: text, Files: files } },
                  {
                    onSuccess: () => {
                      setText('')
                      setFiles([])
                    },
                  },
                )
              }
            >
              {t('alarm.say')}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}
