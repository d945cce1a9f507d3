import { TableOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../../../../console/session/session.ts'
import { lazyScreen } from '../../../../../console/shell/lazyScreen.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Resource } from '../../../../../contract/resource.ts'
import type { Send } from './PointSheet.tsx'

const PointSheet = lazyScreen(() => import('./PointSheet.tsx'))

type Props = {
  of: Resource
  /** The device or model that owns the rows. */
  fixed: Record<string, number>
  send: Send
  /** The protocol for address checks. */
  protocol?: number | undefined
  /** The table, with the button that opens the spreadsheet. */
  children: (button: ReactNode) => ReactNode
}
/** A table of points with a spreadsheet mode, except on phones. */
export const WithSheet = ({ of, fixed, send, protocol, children }: Props) => {
  const t = useWords()
  const [isOpen, open] = useState(false)
  const mayOpen = useMay(`${of.permission}.edit`) && !usePhone()
  if (isOpen) return <PointSheet {...{ of, fixed, send, protocol }} close={() => open(false)} />
  return children(
    mayOpen && (
      <Button icon={<TableOutlined />} onClick={() => open(true)}>
        {t('sheet.open')}
      </Button>
    ),
  )
}
