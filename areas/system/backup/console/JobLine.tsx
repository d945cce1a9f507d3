import { Alert, Progress } from 'antd'
import { timeText } from '../../../../console/words/formats.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import type { BackupJob } from '../contract.ts'

/** The running backup or restore, or the failure of the last one. */
export const JobLine = ({ job, restoring }: { job: BackupJob | undefined; restoring?: boolean }) => {
  const t = useWords()
  if (job?.Status === 1)
    return (
      <div className="job-line" role="status">
        <span>{t(`backup.step.${job.Step}`)}</span>
        <Progress percent={job.Progress} size="small" status="active" aria-label={t(`backup.step.${job.Step}`)} />
      </div>
    )
  if (job?.Status !== 3) return null
  const reason = job.Error && hasWords(job.Error) ? t(job.Error, { file: job.FileName ?? '', migration: '' }) : job.Error
  const time = timeText(job.StartTime)
  return (
    <Alert
      type="error"
      showIcon
      title={restoring ? t('backup.restoreFailed', { time }) : t('backup.failed', { time })}
      description={reason}
      className="form-summary"
    />
  )
}
