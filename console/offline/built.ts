const kinds: Readonly<Record<string, string>> = { html: 'html', js: 'javascript', css: 'css', json: 'json' }

/** Whether an answer can be a file of the build: it is there, and of the kind that its name says. */
export const isBuilt = (path: string, { ok, headers }: Pick<Response, 'ok' | 'headers'>): boolean => {
  const type = headers.get('content-type') ?? ''
  const kind = kinds[path.slice(path.lastIndexOf('.') + 1)]
  return ok && (kind ? type.includes(kind) : !type.includes('html'))
}
