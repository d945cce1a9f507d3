import { FilePdfOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { reportCalls } from '../contract.ts'
import type { ReportProps } from './ReportDialog.tsx'

const ReportDialog = lazyScreen(() => import('./ReportDialog.tsx'), null)

/** Makes a report about these points. */
export const ReportButton = (props: ReportProps) => {
  const t = useWords()
  const may = useMay(reportCalls.start.permission)
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button icon={<FilePdfOutlined />} disabled={!props.points.length} onClick={() => setOpen(true)}>
        {t('report.open')}
      </Button>
      {open && <ReportDialog {...props} close={() => setOpen(false)} />}
    </>
  )
}
