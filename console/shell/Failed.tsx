import { Component, type ReactNode } from 'react'
import { Shape } from '../theme/State.tsx'
import { words } from '../words/words.ts'

type Props = { children: ReactNode }

/** Error boundary of one screen; the rest of the console keeps working. Needs a key that changes with the screen. */
export class Failed extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError = (error: Error) => ({ error })
  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div className="empty" role="alert">
        <p>
          <Shape is="warning" /> {words('screen.failed')}
        </p>
        <p className="faint">{error.message}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {words('screen.reload')}
        </button>
      </div>
    )
  }
}
