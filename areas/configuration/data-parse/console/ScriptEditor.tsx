import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { longestScript } from '../../../../contract/parsing/script.ts'

type Fault = { line: number | null; column: number | null; text: string } | undefined
type Props = { label: string; value: string; disabled: boolean; fault: Fault; change: (text: string) => void }

const diagnosticsOf = (state: EditorState, fault: Fault): Diagnostic[] => {
  if (!fault?.line || fault.line > state.doc.lines) return []
  const line = state.doc.line(fault.line)
  const from = Math.min(line.to, line.from + Math.max(0, (fault.column ?? 1) - 1))
  return [{ from, to: Math.max(from, Math.min(line.to, from + 1)), severity: 'error', message: fault.text }]
}
const readOnly = new Compartment()
const lockedBy = (disabled: boolean) => [EditorState.readOnly.of(disabled), EditorView.editable.of(!disabled)]

/** Code editor for scripts. Tab moves the focus, as in every field. Errors are marked in place. */
const ScriptEditor = ({ label, value, disabled, fault, change }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(change)
  changed.current = change
  const start = useRef({ value, label, disabled })
  useEffect(() => {
    const { value, label, disabled } = start.current
    const extensions = [
      ...[lineNumbers(), history(), indentOnInput(), bracketMatching(), highlightActiveLine(), javascript()],
      ...[syntaxHighlighting(classHighlighter), EditorView.lineWrapping, readOnly.of(lockedBy(disabled))],
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorState.changeFilter.of((tr) => tr.newDoc.length <= longestScript),
      EditorView.updateListener.of((update) => update.docChanged && changed.current(update.state.doc.toString())),
    ]
    // Panes are slotted into shadow roots; the styles belong to the document.
    const made = new EditorView({ root: document, parent: place.current!, state: EditorState.create({ doc: value, extensions }) })
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    const { current } = view
    if (current && current.state.doc.toString() !== value)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => view.current?.dispatch({ effects: readOnly.reconfigure(lockedBy(disabled)) }), [disabled])
  useEffect(() => {
    const { current } = view
    if (current) current.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, fault)))
  }, [fault])
  return <div ref={place} className="script-editor" />
}
export default ScriptEditor
