import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { errorSeconds, refusedMs } from '../session/errors.ts'
import { onSessionEnd } from '../session/request.ts'
import { forgetSession, loginPath } from '../session/session.ts'
import { useWords } from '../words/words.ts'

/**
 * What happens when the session is no more (ruling 15, specification section 8): over asks and lets one stay, so that
 * what is on the screen can still be read; displaced says so once and leaves; refused says so and leaves after a second.
 */
export const SessionGuard = () => {
  const t = useWords()
  const { modal, message } = App.useApp()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { pathname, search } = useLocation()
  const asking = useRef(false)
  const target = useRef('')
  target.current = pathname + search

  useEffect(() => {
    const leave = (fault?: string) => {
      forgetSession()
      client.clear()
      navigate(loginPath(target.current), { replace: true, state: { fault } })
    }
    return onSessionEnd(({ kind, message: text }) => {
      if (asking.current) return
      asking.current = true
      const done = () => {
        asking.current = false
      }
      if (kind === 'over')
        modal.confirm({
          title: t('session.overTitle'),
          content: (
            <>
              {text !== t('fault.sessionOver') && <p>{text}</p>}
              <p>{t('session.overText')}</p>
            </>
          ),
          okText: t('session.again'),
          cancelText: t('cancel'),
          onOk: () => leave(),
          afterClose: done,
        })
      else {
        // The login page repeats what happened, so it is said once and stays readable.
        if (kind === 'refused') message.error(text, errorSeconds)
        setTimeout(
          () => {
            done()
            leave(text)
          },
          kind === 'refused' ? refusedMs : 0,
        )
      }
    })
  }, [client, message, modal, navigate, t])
  return null
}
