import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Modal, Progress } from 'antd'
import { useEffect, useState } from 'react'
import { type Imported, importTaskRows, isImportTask, taskPermission } from '../../../contract/exports.ts'
import type { Resource } from '../../../contract/resource.ts'
import { invalidate } from '../../kernel/api.ts'
import { queryString, request } from '../../session/request.ts'
import { useMay } from '../../session/session.ts'
import { lower, useWords } from '../../words/words.ts'
import { useGo } from '../To.tsx'

type Task = { Done: number; Failed: number; Total: number; Status: number }
const running = 1
const everyMs = 1000

/** The progress of an import task. The task continues when the dialog closes. */
export const ImportProgress = ({ of: r, task: Id, close }: { of: Resource; task: number; close: () => void }) => {
  const t = useWords()
  const client = useQueryClient()
  const go = useGo()
  const { data: task } = useQuery({
    queryKey: [['projectTask'], 'import', Id],
    queryFn: () => request<Task>('GET', `/Project/ProjectTask${queryString({ Id })}`),
    refetchInterval: ({ state }) => (state.data && state.data.Status > running ? false : everyMs),
  })
  const { Done = 0, Failed = 0, Total = 0, Status = 0 } = task ?? {}
  useEffect(() => {
    if (Done) void invalidate(client, [r.name])
  }, [client, Done, r.name])
  const showTask = () => {
    close()
    go(`/projectManagement/pointTaskList?Id=${Id}`)
  }
  return (
    <Modal
      open
      title={t('import.title', { thing: lower(t(r.name)) })}
      onCancel={close}
      footer={
        <>
          <Button onClick={showTask}>{t('import.openTask')}</Button>
          <Button type="primary" onClick={close}>
            {t('close')}
          </Button>
        </>
      }
    >
      <div className="stack" aria-live="polite">
        <Progress
          aria-label={t('import.title', { thing: lower(t(r.name)) })}
          percent={Total ? Math.round(((Done + Failed) * 100) / Total) : 0}
          status={Failed ? 'exception' : Status > running ? 'success' : 'active'}
        />
        <p>{t('import.parts', { done: Done, total: Total })}</p>
        {Failed > 0 && <p>{t('import.parts.failed', { count: Failed })}</p>}
        {Status <= running && <p className="soft">{t('import.goesOn')}</p>}
      </div>
    </Modal>
  )
}

/** Whether the import of a sheet runs as a task, which some lists allow for long sheets. `chosen` is the initial choice. */
export const useImportTask = (r: Resource, chosen: boolean) => {
  const may = useMay(taskPermission) && isImportTask(r)
  const [isTask, choose] = useState(chosen)
  const [started, start] = useState<number>()
  const isOffered = (preview: Imported) => may && (chosen || preview.Added + preview.Changed >= importTaskRows)
  return { query: isTask ? { AsTask: 1 } : {}, started, start, isTask, choose, isOffered }
}

type ChoiceProps = { of: ReturnType<typeof useImportTask>; preview: Imported; disabled: boolean }
export const TaskChoice = ({ of: { isTask, choose, isOffered }, preview, disabled }: ChoiceProps) => {
  const t = useWords()
  if (!isOffered(preview)) return null
  return (
    <div>
      <Checkbox checked={isTask} disabled={disabled} onChange={(e) => choose(e.target.checked)}>
        {t('import.asTask')}
      </Checkbox>
      <div className="soft">{t('import.asTask.help')}</div>
    </div>
  )
}
