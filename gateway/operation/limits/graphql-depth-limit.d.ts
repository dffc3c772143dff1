declare module 'graphql-depth-limit' {
  import type { ASTVisitor, ValidationContext } from 'graphql';

  /** @param maxDepth steps between levels: one less than there are levels */
  export default function depthLimit(maxDepth: number): (context: Pick<ValidationContext, 'getDocument' | 'reportError'>) => ASTVisitor;
}
