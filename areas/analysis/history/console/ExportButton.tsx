import { ExportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { historyCalls } from '../contract.ts'
import type { ExportProps } from './ExportDialog.tsx'

const ExportDialog = lazyScreen(() => import('./ExportDialog.tsx'), null)

/** Takes readings along as a file: those of these points in this range. */
export const ExportButton = (props: ExportProps) => {
  const t = useWords()
  const may = useMay(historyCalls.start.permission)
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button icon={<ExportOutlined />} disabled={!props.points.length} onClick={() => setOpen(true)}>
        {t('history.open')}
      </Button>
      {open && <ExportDialog {...props} close={() => setOpen(false)} />}
    </>
  )
}
