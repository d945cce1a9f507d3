import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import type { RefObject } from 'react'
import { useSession } from '../../../../../console/session/session.ts'
import { useColours } from '../../../../../console/theme/mode.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Seen } from '../../svgFile.ts'

type Props = { chart: { FlowchartName: string; EnterpriseId: number }; seen: RefObject<(() => Seen | undefined) | null> }
/** Menu entries that save the visible part as a file, or print it. */
export const useOut = ({ chart, seen }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const colours = useColours()
  const session = useSession((s) => s.session)
  const company = session?.enterprises.find(({ Id }) => Id === chart.EnterpriseId)?.Name ?? session?.user.EnterpriseName ?? ''
  const named = { name: chart.FlowchartName, company }
  const run = async (key: string) => {
    const now = seen.current?.()
    if (!now) return
    const { printPicture, savePng, saveSvg } = await import('./out.ts')
    if (key === 'svg') await saveSvg(now, named)
    if (key === 'png') await savePng(now, named, colours)
    if (key === 'print') await printPicture(now, named)
  }
  return ['png', 'svg', 'print'].map((key) => ({
    ...{ key, label: t(`pictures.out.${key}`) },
    onClick: () => void run(key).catch(() => message.error(t('pictures.out.failed'))),
  }))
}
/** Saves or prints the visible part. */
export const OutMenu = (props: Props) => {
  const label = useWords()('pictures.out.menu')
  return (
    <Dropdown trigger={['click']} menu={{ items: useOut(props) }}>
      <Button icon={<DownloadOutlined />} aria-label={label} title={label} />
    </Dropdown>
  )
}
