//! Returning freed memory to the system.
//!
//! glibc's allocator keeps most of what a program frees, in each thread's heap: up to 64 MiB at its top, a limit that
//! grows with the largest block freed so far, and everything below a block that is still in use. A server that once
//! held a large document would stay that large. See `mallopt(3)` and `malloc_trim(3)`. Other allocators return memory
//! by themselves.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    /// A block of this size, in bytes, has pages of its own, which its end returns.
    const LARGE: libc::c_int = 4 << 20;
    /// The maximum number of free bytes at the top of a heap.
    const KEPT: libc::c_int = 4 << 20;

    pub(super) fn limit() {
        // SAFETY: `mallopt` sets numbers of the allocator under its lock; an unknown one is an error without effect.
        #[expect(
            unsafe_code,
            reason = "no safe interface to the allocator's parameters"
        )]
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
            // One heap for all threads: another thread's grows by single pages, with a system call for each.
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }

    pub(super) fn release() {
        // SAFETY: `malloc_trim` takes no pointers, and locks each heap that it walks.
        #[expect(unsafe_code, reason = "no safe interface to the allocator")]
        unsafe {
            libc::malloc_trim(0);
        }
    }
}

/// Limits what the allocator keeps of freed memory. Called once, at the start of a program.
pub fn limit() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::limit();
}

/// Returns all free pages to the system. It takes milliseconds if the heap is large, so it is for the end of a
/// document and for idle times.
pub fn release() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::release();
}
