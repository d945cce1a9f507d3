import { BoldOutlined, ItalicOutlined, LinkOutlined, OrderedListOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useEffect, useRef } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { richAddress } from '../contract.ts'

const tools = [
  { name: 'bold', icon: <BoldOutlined /> },
  { name: 'italic', icon: <ItalicOutlined /> },
  { name: 'insertUnorderedList', icon: <UnorderedListOutlined /> },
  { name: 'insertOrderedList', icon: <OrderedListOutlined /> },
] as const

/** HTML has no element for rich text. */
const textbox = (label: string) => ({ role: 'textbox', tabIndex: 0, 'aria-multiline': true, 'aria-label': label }) as const

type Props = { id?: string; value?: string; onChange?: (html: string) => void; label: string }

/** Text with emphasis, lists and links. Pastes become plain text; the server sanitises everything else. */
export const RichInput = ({ id, value = '', onChange, label }: Props) => {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const start = useRef(value)
  const told = useRef(() => {})
  told.current = () => onChange?.(box.current?.textContent?.trim() ? box.current.innerHTML : '')
  useEffect(() => {
    const area = box.current
    if (!area) return
    area.replaceChildren(...new DOMParser().parseFromString(start.current, 'text/html').body.childNodes)
    document.execCommand('defaultParagraphSeparator', false, 'p')
    const changed = () => told.current()
    const paste = (e: ClipboardEvent) => {
      e.preventDefault()
      document.execCommand('insertText', false, e.clipboardData?.getData('text/plain') ?? '')
    }
    area.addEventListener('input', changed)
    area.addEventListener('paste', paste)
    return () => {
      area.removeEventListener('input', changed)
      area.removeEventListener('paste', paste)
    }
  }, [])
  const apply = (command: string, argument?: string) => {
    box.current?.focus()
    document.execCommand(command, false, argument)
    told.current()
  }
  const link = () => {
    const address = window.prompt(t('notices.tool.address'), 'https://')?.trim()
    if (address && richAddress.test(address)) apply('createLink', address)
  }
  return (
    <>
      <div className="rich-tools" role="toolbar" aria-label={t('notices.tools')}>
        {tools.map(({ name, icon }) => (
          <Tooltip key={name} title={t(`notices.tool.${name}`)}>
            <Button
              size="small"
              type="text"
              icon={icon}
              aria-label={t(`notices.tool.${name}`)}
              onMouseDown={(e) => e.preventDefault()}
              onClick={() => apply(name)}
            />
          </Tooltip>
        ))}
        <Tooltip title={t('notices.tool.link')}>
          <Button
            size="small"
            type="text"
            icon={<LinkOutlined />}
            aria-label={t('notices.tool.link')}
            onMouseDown={(e) => e.preventDefault()}
            onClick={link}
          />
        </Tooltip>
      </div>
      <div ref={box} id={id} className="rich-input rich-text" contentEditable {...textbox(label)} />
    </>
  )
}
