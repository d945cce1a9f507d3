import '../../../../console/theme/notices.css'
import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { To } from '../../../../console/shell/To.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { useNotices } from './notices.ts'

/** Display time in ms. Hover and focus extend it. */
const staysMs = 10_000
const close = () => useNotices.setState({ warning: 0 })

/** Reports the number of alarms after sign-in and when it grows (ruling 54), in a line that covers nothing. */
export const AlarmWarning = () => {
  const t = useWords()
  const count = useNotices((s) => s.warning)
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!count) return
    const timer = setInterval(() => line.current?.matches(':hover, :focus-within') || close(), staysMs)
    return () => clearInterval(timer)
  }, [count])
  if (!count) return null
  return (
    <div className="alarm-warning" role="status" ref={line}>
      <Shape is="alarm" /> <span>{t('notices.alarmWarning', { count })}</span>
      <To to="/alarmManagement/alarmInfo" onClickCapture={close}>
        {t('notices.show')}
      </To>
      <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('close')} onClick={close} />
    </div>
  )
}
