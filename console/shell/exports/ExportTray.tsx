import { CloseOutlined, DeleteOutlined, DownloadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import { type ExportTask, exportCalls, taskStatus } from '../../../contract/exports.ts'
import { invalidate, useCall, useCommand } from '../../kernel/api.ts'
import { hub } from '../../live/hub.ts'
import { useUser } from '../../session/session.ts'
import { State } from '../../theme/State.tsx'
import { language, useWords } from '../../words/words.ts'
import { saveSheet } from './sheets.ts'
import { sizeText, tray } from './tray.ts'

const of = ['importExportTask']
/** Poll interval of running tasks, ms, in case the hub is down. */
const askMs = 3000
const isUnderWay = ({ Status }: ExportTask) => Status === taskStatus.waiting || Status === taskStatus.running

const Task = ({ task }: { task: ExportTask }) => {
  const t = useWords()
  const { message } = App.useApp()
  const remove = useCommand(exportCalls.remove, of)
  const { Id, Status, DoneRows, TotalRows, Progress: percent, FileName, FileBytes, Reason } = task
  const underWay = isUnderWay(task)
  const count = (n: number) => n.toLocaleString(language())
  const save = () => saveSheet(task).catch((error: Error) => message.error(error.message))
  return (
    <li>
      <span className="tray-name">{FileName}</span>
      <span className="tray-actions">
        {Status === taskStatus.done && (
          <Button
            size="small"
            type="primary"
            icon={<DownloadOutlined />}
            onClick={save}
            aria-label={t('exports.download', { name: FileName })}
          >
            {t('exports.save')}
          </Button>
        )}
        <Button
          size="small"
          type="text"
          icon={underWay ? <CloseOutlined /> : <DeleteOutlined />}
          aria-label={t(underWay ? 'exports.cancel' : 'exports.remove', { name: FileName })}
          title={t(underWay ? 'exports.cancel' : 'exports.remove', { name: FileName })}
          onClick={() => remove.mutate({ query: { Id } })}
        />
      </span>
      <small className="soft">
        {Status === taskStatus.waiting && t('exports.waiting')}
        {Status === taskStatus.running &&
          (TotalRows !== null
            ? t('exports.running', { done: count(DoneRows), total: count(TotalRows) })
            : percent !== null
              ? t('exports.share', { done: count(DoneRows), percent: count(percent) })
              : t('exports.begun'))}
        {Status === taskStatus.done && t('exports.done', { rows: count(DoneRows), size: sizeText(FileBytes ?? 0, language()) })}
        {Status === taskStatus.failed && <State is="warning">{Reason}</State>}
        {Status === taskStatus.cancelled && t('exports.cancelled')}
      </small>
      {underWay && (
        <Progress
          percent={TotalRows ? Math.floor((100 * DoneRows) / TotalRows) : (percent ?? 0)}
          size="small"
          showInfo={false}
          aria-label={t('exports.progress', { name: FileName })}
        />
      )}
    </li>
  )
}

/** The person's exports. They run in the background and survive a reload. */
const ExportTray = () => {
  const t = useWords()
  const client = useQueryClient()
  const me = useUser()?.Id
  const { data, error } = useCall(exportCalls.tasks, { query: { PageSize: 20 }, of })
  const tasks = (data?.Items ?? []) as ExportTask[]
  const busy = tasks.some(isUnderWay)
  useEffect(
    () => hub.on('Changed', ({ Resource, Id }) => void (Resource === of[0] && (Id === me || Id === 0) && invalidate(client, of))),
    [client, me],
  )
  useEffect(() => {
    if (!busy) return
    const timer = setInterval(() => void invalidate(client, of), askMs)
    return () => clearInterval(timer)
  }, [busy, client])
  // The tray scrolls into view: the screen below it may be scrolled.
  const top = useRef<HTMLElement>(null)
  useEffect(() => {
    void top.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section className="tray" ref={top} aria-label={t('exports.title')}>
      <header>
        <h2>{t('exports.title')}</h2>
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('exports.close')} onClick={tray.close} />
      </header>
      <div role="status" aria-live="polite">
        {error && !data ? (
          <p className="soft">{error.message}</p>
        ) : tasks.length === 0 ? (
          <p className="soft">{t('exports.none')}</p>
        ) : (
          <ul>
            {tasks.map((task) => (
              <Task key={task.Id} task={task} />
            ))}
          </ul>
        )}
      </div>
      <p className="soft tray-note">{t('exports.kept')}</p>
    </section>
  )
}
export default ExportTray
