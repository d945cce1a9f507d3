import { Button, Input } from 'antd'
import { useState } from 'react'
import { FileLink, FilesInput } from '../../../../console/files/FilesInput.tsx'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import { alarmCalls } from '../contract.ts'

/** Comments of an alarm with their attachments, and a form to add one. */
export const Comments = ({ id }: { id: number }) => {
  const t = useWords()
  const may = useMay('m10201.acknowledge')
  const { data } = useCall(alarmCalls.comments, { query: { Id: id }, of: ['alarmInfo'] })
  const addComment = useCommand(alarmCalls.comment, ['alarmInfo'])
  const [text, setText] = useState('')
  const [files, setFiles] = useState<Attachment[]>([])
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
            <FileLink key={f.FilePath} file={f} />
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
          <FilesInput value={files} onChange={setFiles} most={10} />
          <div className="rule-words">
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
